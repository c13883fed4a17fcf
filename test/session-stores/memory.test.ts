import { describe, it } from 'vitest'
import { memorySessions } from 'lena-agent'
import { sessionStoreConformance } from 'lena-agent/testing'

describe('sessions in memory', () => {
  sessionStoreConformance({ test: it }, async () => memorySessions())
})
