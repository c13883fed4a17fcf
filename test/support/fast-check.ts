import fc from 'fast-check'

const { PROPERTY_SEED, PROPERTY_RUNS } = process.env

/**
 * A property is checked on the same inputs in every run, so that a build that was green stays green. To look further:
 * `PROPERTY_SEED=random PROPERTY_RUNS=5000 npx vitest run test/…`.
 */
fc.configureGlobal({
  ...(PROPERTY_SEED !== 'random' && { seed: Number(PROPERTY_SEED ?? 20_261_130) }),
  ...(PROPERTY_RUNS !== undefined && { numRuns: Number(PROPERTY_RUNS) }),
})

/**
 * Of a property that takes long: so many inputs are enough in every run. The long run (`test/long/properties.test.ts`) and
 * `PROPERTY_RUNS` look at more.
 */
export const runs = (usual: number): { readonly numRuns: number } => ({ numRuns: Number(process.env['PROPERTY_RUNS'] ?? usual) })

export { fc }
