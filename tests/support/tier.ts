// The two tiers: `npm test` tries a part of what is long, `npm run soak` (SOAK=1) all of it. The files are the same.
export const SOAK = process.env['SOAK'] === '1'

/** How much of something a tier tries: `sized(100, 1_000)`. */
export const sized = <T>(test: T, soak: T): T => (SOAK ? soak : test)
