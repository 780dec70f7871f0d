/* 驗證紀錄: every record of a strategy hashed again in this browser; says how far, what came out, and gives the record as a file. */

import { useMutation } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { may } from '#contract/permissions.ts'
import type { EXPORT_FORMATS } from '#contract/signal.ts'
import { type ChainCheck, checkRecord, Insecure } from '#data/nouns/chain.ts'
import { signalMutations } from '#data/nouns/signal.ts'
import { saveFile } from '#screen/browser.ts'
import { useCtx, useData } from '#screen/data.tsx'
import { useGo } from '#screen/go.ts'
import { identityOf, knownProfile } from '#screen/profile.ts'
import { toast } from '#screen/toast.ts'
import { auth } from '#state/session.ts'
import { failureText } from '#text/errors.ts'
import { full, number } from '#text/format.ts'
import { serverNow } from '#text/now.ts'
import { Button } from '#ui/Button.tsx'
import { CopyButton } from '#ui/CopyButton.tsx'
import { FailState, ProgressBar } from '#ui/EmptyState.tsx'
import { KeyValues } from '#ui/Figures.tsx'
import { Icon } from '#ui/Icon.tsx'
import { Sheet } from '#ui/Modal.tsx'
import { opens } from '#ui/open.ts'
import css from './VerifySheet.module.css'

const HOW = '/guide#verify'

/** `onOpen` opens a record by id (the one that does not fit). */
export type VerifySheetProps = { strategy_id: string; onClose: () => void; onOpen?: (id: string) => void }

export function VerifySheet({ strategy_id, onClose, onOpen }: VerifySheetProps) {
  const { open } = useGo()
  const { state, again } = useCheck(strategy_id)
  return (
    <Sheet
      open
      onClose={onClose}
      title="驗證紀錄"
      subtitle="在這個瀏覽器重算每一筆的雜湊，不靠伺服器說了算"
      foot={
        <Button kind="soft" icon="refresh" disabled={state.at === 'running'} onClick={again}>
          再驗證一次
        </Button>
      }
    >
      <div className={css.root}>
        <div aria-live="polite">
          {state.at === 'running' && <Progress done={state.done} total={state.total} />}
          {state.at === 'failed' && (
            <FailState title="這次沒有驗證成" onRetry={again}>
              {state.text}
            </FailState>
          )}
          {state.at === 'done' &&
            (state.check.ok ? (
              <Whole check={state.check} when={state.when} />
            ) : (
              <Broken strategy_id={strategy_id} check={state.check} when={state.when} onOpen={onOpen} />
            ))}
        </div>
        <section className={css.block} aria-label="帶走這份紀錄">
          <h3>帶走這份紀錄</h3>
          <ExportActions strategy_id={strategy_id} />
          <p className="t13 ink3">
            JSON 含每一筆的雜湊，任何人都能檢查，不必連線，也不必相信這台伺服器。
            <a className="link" href={HOW} onClick={opens(() => open(HOW))}>
              怎麼檢查
            </a>
          </p>
        </section>
      </div>
    </Sheet>
  )
}

/* The record fits: how many, where its chain stands (the hash to note down), what it was compared with. */

/** `when` the check ended, ms. */
export type WholeProps = { check: ChainCheck & { ok: true }; when: number }

export function Whole({ check, when }: WholeProps) {
  const { source, count, head, first_seq, compared, gaps, links = 0 } = check
  const device = source === 'device'
  if (!head)
    return (
      <div className={css.hero}>
        <p className="t16 w6">{device ? '這支裝置上沒有紀錄' : '還沒有紀錄'}</p>
        <p className="t13 ink3">{device ? '連線後再驗證一次。' : '收到第一筆訊號後就能驗證。'}</p>
      </div>
    )
  return (
    <>
      <div className={css.hero}>
        <p className={css.what}>
          <Icon
            name={device ? 'offline' : links > 0 ? 'link' : 'verified'}
            size={28}
            className={device ? 'ink3' : 'good-ink'}
          />
          <b className="t20">{(device ? '裝置上的紀錄' : '紀錄') + (links > 0 ? '相連' : '完整')}</b>
        </p>
        <p className="ink2">
          {device
            ? `離線：只檢查了這支裝置存下的 ${number(count)} 筆，連線後可以驗證全部。`
            : links > 0
              ? `${number(count)} 筆都接得上前一筆，沒有一筆被移除或插入；看得到內容的 ${number(count - links)} 筆，事後都沒有被更動。`
              : `${number(count)} 筆都接得上前一筆，沒有一筆在事後被更動、移除或插入。`}
        </p>
        {links > 0 && (
          <p className="ink2">
            其中 {number(links)} 筆說的是你看得到的期間之前的事，只有雜湊相連：內容不顯示，也就沒有驗證。
          </p>
        )}
      </div>
      <KeyValues
        rows={[
          { label: '驗證的範圍', value: `第 ${number(first_seq ?? 1)} – ${number(head.chain_seq)} 筆` },
          ...(links > 0 ? [{ label: '只有雜湊，內容沒有驗證', value: `${number(links)} 筆` }] : []),
          ...(gaps > 0 ? [{ label: '不在這支裝置上', value: `${number(gaps)} 筆` }] : []),
          ...(device
            ? []
            : [
                {
                  label: '與這支裝置存的比對',
                  value: compared > 0 ? `${number(compared)} 筆相同` : '裝置上沒有',
                },
              ]),
          ...(head.at ? [{ label: '最後一筆存入', value: full(head.at) }] : []),
          { label: '驗證時間', value: full(new Date(when).toISOString()) },
        ]}
      />
      <div className={css.WholeHead}>
        <p className="t13 ink3">最後一筆（第 {number(head.chain_seq)} 筆）的雜湊</p>
        <code className="mono">{head.hash.match(/.{8}/g)?.join(' ')}</code>
        <div className={css.WholeFoot}>
          <p className="t13 ink3 sp">抄下它：日後若整份歷史被改寫，就不會再有這個雜湊。</p>
          <CopyButton size="s" text={head.hash}>
            複製雜湊
          </CopyButton>
        </div>
      </div>
    </>
  )
}

/* The first record that does not fit, and why; with the way to it when this device holds it. */

/** `when` the check ended, ms. */
export type BrokenProps = {
  strategy_id: string
  check: ChainCheck & { ok: false }
  when: number
  onOpen: ((id: string) => void) | undefined
}

export function Broken({ strategy_id, check, when, onOpen }: BrokenProps) {
  const { chain_seq, reason, checked, source } = check
  const record = useData()
    .signals.ofStrategy(strategy_id)
    .find((one) => one.chain_seq === chain_seq)
  return (
    <>
      <div className={css.hero}>
        <p className={css.what}>
          <Icon name="warning" size={28} className="danger-ink" />
          <b className="t20">第 {number(chain_seq)} 筆不符</b>
        </p>
        <p className="ink2">{reason}。</p>
        {record && onOpen && (
          <Button kind="tint" onClick={() => onOpen(record.id)}>
            看這支裝置存的第 {number(chain_seq)} 筆
          </Button>
        )}
      </div>
      <KeyValues
        rows={[
          { label: '在這之前', value: checked > 0 ? `${number(checked)} 筆相符` : '沒有相符的紀錄' },
          {
            label: '檢查的是',
            value: source === 'server' ? '伺服器上的全部紀錄' : '這支裝置存的紀錄（離線）',
          },
          { label: '驗證時間', value: full(new Date(when).toISOString()) },
        ]}
      />
      <p className={`t13 ink3 ${css.BrokenNote}`}>
        這一筆之後的紀錄都不能再視為原樣。請先匯出留存，再告訴策略的管理者。
      </p>
    </>
  )
}

/* How far the check is: a bar that never jumps back, and the count. */

/** `total` null until the server has said how many there are. */
export type ProgressProps = { done: number; total: number | null }

export function Progress({ done, total }: ProgressProps) {
  const share = total ? done / total : 0
  return (
    <div className={css.hero}>
      <p className="t16 w6">驗證中</p>
      <ProgressBar label="驗證進度" share={total === null ? null : share} />
      <p className="num t13 ink3">{total === null ? '讀取紀錄' : `${number(done)} / ${number(total)} 筆`}</p>
    </div>
  )
}

/* The record as a file: for spreadsheets, or with its proof. Saved under the name that the server gives it. */

type Format = (typeof EXPORT_FORMATS)[number]

export function ExportActions({ strategy_id }: { strategy_id: string }) {
  const ctx = useCtx()
  const fetch = useMutation({
    ...signalMutations.export(ctx),
    onSuccess: (file) => {
      saveFile(file)
      toast({ title: `已匯出 ${file.filename}`, icon: 'check' })
    },
    onError: (error) => toast({ title: '沒有匯出', description: failureText(error), variant: 'destructive' }),
  })
  const key = (format: Format, label: string) => (
    <Button
      icon="download"
      busy={fetch.isPending && fetch.variables.format === format}
      disabled={fetch.isPending && fetch.variables.format !== format}
      onClick={() => fetch.mutate({ id: strategy_id, format })}
    >
      {label}
    </Button>
  )
  return (
    <div className={css.ExportActionsRow}>
      {key('csv', '匯出 CSV')}
      {key('json', '匯出 JSON（含證明）')}
    </div>
  )
}

// One check of a strategy's record from start to result, begun again on wish, given up when its screen goes.

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
