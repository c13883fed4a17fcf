export { default } from './not-there.mjs'
