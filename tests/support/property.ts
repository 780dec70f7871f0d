// Properties try the same values in every run: a red one stays red, and the same on every machine. `SEED=…` tries others.
import fc from 'fast-check'

export const SEED = Number(process.env['SEED'] ?? 20_261_123)

fc.configureGlobal({ seed: SEED })

export { fc }
