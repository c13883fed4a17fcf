import { vi, test } from 'vitest'
import { hostConformance } from 'lena-agent/testing'
import { localHost } from 'lena-agent/toolkit'
import { workspaceWith } from '../../toolkit/support/workspace.ts'

vi.setConfig({ testTimeout: 120_000 })

hostConformance({ test }, async () => ({ host: localHost(), folder: await workspaceWith() }))
