/* 勿擾時段: from, to and on which days; exits may pass, what is important always does. */
import { useState } from 'react'
import { Card } from '#ui/Card.tsx'
import { cx } from '#ui/open.ts'
import { Switch } from '#ui/Switch.tsx'
import { TextField } from '#ui/TextField.tsx'
import css from './QuietCard.module.css'
import type { SettingCard } from './use-setting.ts'
import { DAY_WORDS, daysText, pathText } from './words.ts'

/** The platform's field tells of every digit: the time is taken when it is left. */
function Time({ label, value, onSet }: { label: string; value: string; onSet: (value: string) => void }) {
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <TextField
      label={label}
      type="time"
      value={typed ?? value}
      onChange={setTyped}
      onBlur={() => {
        if (typed && typed !== value) onSet(typed)
        setTyped(null)
      }}
    />
  )
}

export function QuietCard({ setting, change }: SettingCard) {
  const { enabled, from, to, days, exits_pass } = setting.quiet_hours
  const turn = (day: number) => {
    const next = days.includes(day) ? days.filter((one) => one !== day) : [...days, day]
    change({ 'quiet_hours.days': next.toSorted((a, b) => a - b) }, pathText('quiet_hours.days'))
  }
  const over = to <= from
  return (
    <Card title="勿擾時段" pad>
      <Switch
        label="這段時間不打擾我"
        note="這段時間不響，結束後一次告訴你"
        checked={enabled}
        onChange={(on) => change({ 'quiet_hours.enabled': on }, pathText('quiet_hours.enabled'))}
      />
      {enabled && (
        <>
          <div className={css.times}>
            <Time
              label="開始"
              value={from}
              onSet={(at) => change({ 'quiet_hours.from': at }, pathText('quiet_hours.from'))}
            />
            <Time
              label={over ? '結束（隔天）' : '結束'}
              value={to}
              onSet={(at) => change({ 'quiet_hours.to': at }, pathText('quiet_hours.to'))}
            />
          </div>
          <fieldset className={css.days}>
            <legend>從哪幾天開始：{daysText(days)}</legend>
            <div>
              {DAY_WORDS.map((word, at) => (
                <button
                  key={word}
                  type="button"
                  className={cx(days.includes(at + 1) && css.on)}
                  aria-pressed={days.includes(at + 1)}
                  aria-label={`週${word}`}
                  onClick={() => turn(at + 1)}
                >
                  {word}
                </button>
              ))}
            </div>
          </fieldset>
          <Switch
            label="出場訊號照樣通知"
            note="平倉、停損不等到時段結束"
            checked={exits_pass}
            onChange={(on) => change({ 'quiet_hours.exits_pass': on }, pathText('quiet_hours.exits_pass'))}
          />
          <p className="t13 ink3">標為「重要」的策略，任何時候都通知。</p>
        </>
      )}
    </Card>
  )
}
