// Which strategies a signal may be entered for.
import type { Strategy } from '#contract/strategy.ts'

/** Those that may be sent to: what is archived takes none. */
export const takesManual = ({ can, status }: Pick<Strategy, 'can' | 'status'>): boolean =>
  can.includes('edit') && status !== 'archived'
