// A search box whose word stands in the address.
import { useEffect, useRef, useState } from 'react'

const PAUSE_MS = 250

/** What is typed, and how to change it; `commit` hears it after a pause in typing. */
export function useTypedWord(value: string, commit: (value: string) => void) {
  const [typed, setTyped] = useState(value)
  const last = useRef(value)
  const write = useRef(commit)
  write.current = commit
  useEffect(() => {
    // the address was changed by somebody else: Back, 清除條件
    if (value !== last.current) {
      last.current = value
      setTyped(value)
    }
  }, [value])
  useEffect(() => {
    if (typed === last.current) return
    const timer = setTimeout(() => {
      last.current = typed
      write.current(typed)
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return [typed, setTyped] as const
}
