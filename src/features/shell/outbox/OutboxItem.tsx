// One waiting call: what, since when, in whose name, its state, and what can be done with it.
import { useState } from 'react'
import type { OutboxRow } from '#contract/outbox.ts'
import { getData } from '#data/current.ts'
import type { Outbox } from '#data/outbox/outbox.ts'
import { toast } from '#screen/toast.ts'
import { failureText } from '#text/errors.ts'
import { ago } from '#text/time.ts'
import { Button } from '#ui/Button.tsx'
import { StateWord } from '#ui/nouns/Delta.tsx'
import css from './OutboxItem.module.css'
import { reasonOf, STATE_LOOKS } from './words.ts'

/** `behind`: an earlier one of its lane stands still; `identity` the name it was made in; `onCorrect` opens its place with the values. */
export function OutboxItem({
  row,
  behind,
  identity,
  now,
  onCorrect,
}: {
  row: OutboxRow
  behind: boolean
  identity: string
  now: number
  onCorrect?: (() => void) | undefined
}) {
  const [busy, setBusy] = useState(false)
  const [asking, setAsking] = useState(false)
  const look = STATE_LOOKS[row.state]
  const reason = reasonOf(row, behind, now)
  const act = async (work: (outbox: Outbox) => Promise<boolean>) => {
    setBusy(true)
    try {
      if (!(await work(await getData().outbox.open())))
        toast({ title: '這一筆正在送出', description: '送到之後就不能取消了。', icon: 'info' })
    } catch (error) {
      toast({ title: '沒有改成', description: failureText(error), variant: 'destructive' })
    }
    setBusy(false)
  }
  const retry = () => void act((outbox) => outbox.retry(row.key))
  const cancel = () => void act((outbox) => outbox.cancel(row.key))
  const decides = row.state === 'needs_confirm'
  return (
    <li className={css.root}>
      <div className={css.head}>
        <b className="sp">{row.label}</b>
        <StateWord text={look.word} icon={look.icon} tone={look.tone} className={css.state} />
      </div>
      <p className="t13 ink3">
        {identity} · <time dateTime={row.created_at}>{ago(row.created_at, now)}</time>
      </p>
      {reason && <p className="t13 ink2">{reason}</p>}
      {asking ? (
        <div className={css.keys}>
          <span className="sp t13">{decides ? '放棄' : '取消'}後不會送出，畫面回到原來的樣子。</span>
          <Button size="s" onClick={() => setAsking(false)}>
            留著
          </Button>
          <Button size="s" kind="danger" busy={busy} onClick={cancel}>
            {decides ? '放棄' : '確定取消'}
          </Button>
        </div>
      ) : (
        row.state !== 'sending' && (
          <div className={css.keys}>
            <Button size="s" kind="ghost" onClick={() => setAsking(true)}>
              {decides ? '放棄' : '取消'}
            </Button>
            {onCorrect && (
              <Button size="s" onClick={onCorrect}>
                修改後重送
              </Button>
            )}
            {!behind && (
              <Button size="s" kind="tint" busy={busy} onClick={retry}>
                {decides ? '仍要送出' : '立即重試'}
              </Button>
            )}
          </div>
        )
      )}
    </li>
  )
}
