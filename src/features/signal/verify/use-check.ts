// One check of a strategy's record from start to result, begun again on wish, given up when its screen goes.

import { useCallback, useEffect, useState } from 'react'
import { may } from '#contract/permissions.ts'
import { type ChainCheck, checkRecord, Insecure } from '#data/nouns/chain.ts'
import { useCtx, useData } from '#screen/data.tsx'
import { identityOf, knownProfile } from '#screen/profile.ts'
import { auth } from '#state/session.ts'
import { failureText } from '#text/errors.ts'
import { serverNow } from '#text/now.ts'

export type CheckState =
  | { at: 'running'; done: number; total: number | null }
  | { at: 'done'; check: ChainCheck; when: number }
  | { at: 'failed'; text: string }

/** Starts at once; `again` starts anew. */
export function useCheck(strategy_id: string): { state: CheckState; again: () => void } {
  const data = useData()
  const ctx = useCtx()
  const [turn, setTurn] = useState(0)
  const [state, setState] = useState<CheckState>({ at: 'running', done: 0, total: null })

  // biome-ignore lint/correctness/useExhaustiveDependencies: `turn` asks for another check
  useEffect(() => {
    const stop = new AbortController()
    setState({ at: 'running', done: 0, total: null })
    checkRecord({
      client: data.client,
      ctx,
      strategy_id,
      partial: !may(identityOf(auth.org_id, knownProfile()), 'strategy:edit'),
      own: data.signals.ofStrategy(strategy_id),
      offline: data.connection.getSnapshot() === 'offline',
      signal: stop.signal,
      on_progress(done, total) {
        if (!stop.signal.aborted) setState({ at: 'running', done, total })
      },
    }).then(
      (check) => {
        if (!stop.signal.aborted) setState({ at: 'done', check, when: serverNow() })
      },
      (error: unknown) => {
        if (!stop.signal.aborted) setState({ at: 'failed', text: textOf(error) })
      },
    )
    return () => stop.abort()
  }, [data, ctx, strategy_id, turn])
  return { state, again: useCallback(() => setTurn((n) => n + 1), []) }
}

function textOf(error: unknown): string {
  if (error instanceof Insecure)
    return '這個網址不是安全連線，瀏覽器不能計算雜湊。請改用 https 開頭的網址，或匯出 JSON 另外檢查。'
  return failureText(error)
}
