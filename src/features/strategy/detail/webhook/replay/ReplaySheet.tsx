/* 重新解析: first what would change, then exactly that, with its progress; what is done is never done twice. */

import { useState } from 'react'
import type { Webhook } from '#contract/webhook.ts'
import type { ReplayPick } from '#data/nouns/webhook.ts'
import { useDirtyForm } from '#screen/dirty.ts'
import { failureSentence } from '#screen/failure.ts'
import { Refused } from '#screen/Refused.tsx'
import { number } from '#text/format.ts'
import { CHANGE_WORDS } from '#text/webhook.ts'
import { ProgressBar } from '#ui/Banner.tsx'
import { Sheet } from '#ui/Sheet.tsx'
import { Switch } from '#ui/Switch.tsx'
import { ReplayFoot } from './ReplayFoot.tsx'
import { ReplayList } from './ReplayList.tsx'
import css from './ReplaySheet.module.css'
import { type Counts, useReplay } from './use-replay.ts'

/** `pick` names rows by id, or all that fit a filter. */
export type ReplaySheetProps = {
  webhook: Webhook
  pick: ReplayPick
  onClose: () => void
}

const TITLES = {
  trying: '試算會改變什麼',
  told: '會改變什麼',
  making: '重新解析中',
  stopped: '停下來了',
  done: '重新解析完成',
}

export function ReplaySheet({ webhook, pick, onClose }: ReplaySheetProps) {
  const run = useReplay(webhook, pick)
  const [notify, setNotify] = useState(false)
  const { step, done, total, counts, lines, error } = run
  const busy = step === 'making'
  useDirtyForm(busy)
  const nothing = counts.new + counts.changed + counts.now_refused === 0
  return (
    <Sheet
      open
      tall
      onClose={busy ? run.stop : onClose}
      sticky={busy || step === 'stopped'}
      title={TITLES[step]}
      subtitle={webhook.name}
      foot={<ReplayFoot run={run} notify={notify} onClose={onClose} />}
    >
      <div className={css.root}>
        {((step === 'trying' && error == null) || busy) && (
          <div className={css.hero} role="status">
            <ProgressBar label={TITLES[step]} share={total ? done / total : total === 0 ? 1 : null} />
            <p className="num t16 w6">{total === null ? '讀取中' : `${number(done)} / ${number(total)}`}</p>
            <p className="t13 ink3">
              {busy ? '取消會在這一批做完後停下，做完的會留著。' : '現在只是試算，還沒套用。'}
            </p>
          </div>
        )}
        <Refused
          text={
            error != null && failureSentence(error, step === 'trying' ? '什麼都沒有改變，' : '做完的都還在，')
          }
        />
        {step === 'told' && (
          <>
            <p>{nothing ? idle(counts) : `還沒套用。套用後${more(counts)}，部位與損益重算；原紀錄不動。`}</p>
            {!nothing && (
              <Switch
                label="通知"
                note="預設不通知任何人，這些是先前的訊息。"
                checked={notify}
                onChange={setNotify}
              />
            )}
            <ReplayList lines={lines} counts={counts} />
          </>
        )}
        {(step === 'done' || step === 'stopped') && (
          <div className={css.hero} role="status">
            <p className="num t16 w6">
              {number(done)} / {number(total ?? 0)}
            </p>
            <p>{made(counts)}</p>
            {step === 'stopped' && <p className="t13 ink3">做完的不會重做，隨時可以接著做。</p>}
          </div>
        )}
      </div>
    </Sheet>
  )
}

/** Nothing changes: what that means, and what would change it. */
function idle({ still_refused }: Counts): string {
  return still_refused > 0
    ? '照現在的設定再讀一次，還是沒有收下，什麼都沒有改變。原因寫在下面：等你確認的請先確認格式，其他請修正來源後重送。'
    : '照現在的設定再讀一次，結果和原來相同，什麼都沒有改變。想換一種讀法，先改訊息格式或規則，再重新解析。'
}

/** 多 2 筆訊號、另記 3 筆更正或作廢。 */
function more({ new: added, changed, now_refused }: Counts): string {
  const pointing = changed + now_refused
  const parts = [
    added > 0 ? `多 ${number(added)} 筆訊號` : [],
    pointing > 0 ? `另記 ${number(pointing)} 筆更正或作廢` : [],
  ].flat()
  return parts.join('、')
}

/** 新成為訊號 1,200 則、改變 3 則。 */
function made(counts: Counts): string {
  const kinds = (Object.keys(CHANGE_WORDS) as (keyof Counts)[]).filter((change) => counts[change] > 0)
  return kinds.length === 0
    ? '還沒有做完任何一則。'
    : `${kinds.map((change) => `${CHANGE_WORDS[change]} ${number(counts[change])} 則`).join('、')}。`
}
