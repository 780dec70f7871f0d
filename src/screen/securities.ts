// The securities there are, to be searched and named, also offline: the lists that come with the application (a chunk of their own),
// or the server's where it has others.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { tablesQueries } from '#data/nouns/market.ts'
import type { Directory, Listing } from '#trading/listings.ts'

type Lists = typeof import('#trading/listings.ts')

export interface Securities {
  directory: Directory
  /** The day of the list. */
  listed_on: string
  /** The version of the server's list; empty: the built-in one. */
  version: string
}

/** Null while they are on their way, and where they cannot come. */
export function useSecurities(wanted = true): Securities | null {
  const [lists, setLists] = useState<Lists | null>(null)
  useEffect(() => {
    if (!wanted) return
    let gone = false
    import('#trading/listings.ts').then(
      (found) => gone || setLists(found),
      // Offline before they were ever fetched: codes can be typed all the same.
      () => gone || setLists(null),
    )
    return () => {
      gone = true
    }
  }, [wanted])
  const { data } = useQuery({ ...tablesQueries.all(), enabled: wanted })
  const version = data?.symbols.version ?? ''
  const listed_on = data?.symbols.listed_on ?? ''
  const theirs = useQuery({ ...tablesQueries.securities(version), enabled: wanted && version !== '' })
  return useMemo(() => {
    if (!lists) return null
    if (theirs.data) return { directory: lists.directory(theirs.data), listed_on, version }
    return { directory: lists.builtIn(), listed_on: lists.LISTED_ON, version: '' }
  }, [lists, theirs.data, listed_on, version])
}

/** What fits, best first: of the device at once, and of the server what only it has. */
export function useSecuritySearch(
  securities: Securities | null,
  typed: string,
  most: number,
): readonly Listing[] {
  const found = useMemo(() => securities?.directory.search(typed, most) ?? [], [securities, typed, most])
  const beyond = securities !== null && securities.version !== '' && typed.length > 1 && found.length < most
  const { data } = useQuery({ ...tablesQueries.search(typed, most), enabled: beyond })
  return useMemo(() => {
    const known = new Set(found.map(({ symbol }) => symbol))
    const more = beyond && data ? data.filter(({ symbol }) => !known.has(symbol)) : []
    return more.length > 0 ? [...found, ...more].slice(0, most) : found
  }, [found, data, beyond, most])
}
