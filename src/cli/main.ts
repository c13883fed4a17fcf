#!/usr/bin/env node
import { runAsProcess } from './process.ts'

await runAsProcess()
