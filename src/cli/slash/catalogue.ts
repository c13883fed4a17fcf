// What is known of models, apart: whoever needs it has it loaded then, and the first screen does without.
export { modelInfo, providers } from '../../index.ts'
