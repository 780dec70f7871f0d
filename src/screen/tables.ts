// The market's tables in force, for whoever draws or computes by them: other ones draw and compute anew.
import { useSyncExternalStore } from 'react'
import type { Tables } from '#trading/tables.ts'
import { onTables, tables } from '#trading/tables.ts'

export function useTables(): Tables {
  return useSyncExternalStore(onTables, tables)
}
