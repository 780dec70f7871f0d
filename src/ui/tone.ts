// The sign of a value or a side, by which it is coloured.

/** `up` red by default, `down` green, `flat` grey. */
export type Tone = 'up' | 'down' | 'flat'
