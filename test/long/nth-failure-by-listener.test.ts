import { nthFailureBy } from '../support/nth-failure.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

nthFailureBy('listener')
