import { nthFailureBy } from '../support/nth-failure.ts'
import { refuseUnhandled } from '../support/unhandled.ts'

refuseUnhandled()

// By a listener, too: test/long/nth-failure-by-listener.test.ts.
nthFailureBy('silent')
nthFailureBy('reader')
