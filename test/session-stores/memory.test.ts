import { describe, it } from 'vitest'
import { memorySessions } from 'lena-agent'
import { sessionStoreConformance } from 'lena-agent/testing'

describe('sessions in memory', { timeout: 60_000 }, () => {
  sessionStoreConformance({ test: it }, async () => memorySessions())
})
