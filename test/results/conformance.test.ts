import { describe, it } from 'vitest'
import { fileResults } from 'lena-agent/toolkit'
import { resultStoreConformance } from 'lena-agent/testing'
import { memoryResults } from '../../src/results/memory-results.ts'
import { newFolder } from './support/folder.ts'

describe('memoryResults', () => {
  resultStoreConformance({ test: it }, async () => memoryResults())
})

describe('fileResults', () => {
  resultStoreConformance({ test: it }, async () => fileResults({ dir: `${await newFolder()}/results` }))
})
