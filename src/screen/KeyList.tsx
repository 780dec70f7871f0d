// The keys of the shell as a list, and the switch that silences them (WCAG 2.1.4).
import { useSnapshot } from 'valtio'
import { preferences } from '#state/preferences.ts'
import { Switch } from '#ui/Switch.tsx'
import { Kbd } from '#ui/Tag.tsx'
import css from './cards.module.css'
import { prefs } from './device.ts'
import { PLACES } from './keys.ts'
import { useMay } from './profile.ts'

function Line({ keys, children }: { keys: readonly string[]; children: string }) {
  return (
    <div>
      <dt>{children}</dt>
      <dd>
        {keys.map((key) => (
          <Kbd key={key} className={css.KeyListKey}>
            {key}
          </Kbd>
        ))}
      </dd>
    </div>
  )
}

export function KeyList() {
  const may_send = useMay('strategy:edit')
  return (
    <dl className={css.KeyList}>
      <Line keys={['/']}>搜尋這一頁</Line>
      {PLACES.map(({ key, label }) => (
        <Line key={key} keys={['g', key]}>{`前往${label}`}</Line>
      ))}
      <Line keys={['j', '↓']}>下一筆訊號</Line>
      <Line keys={['k', '↑']}>上一筆訊號</Line>
      {may_send && <Line keys={['n']}>手動訊號</Line>}
      <Line keys={['Esc']}>關閉視窗或清除搜尋</Line>
      <Line keys={['?']}>顯示這份清單</Line>
    </dl>
  )
}

export function KeySwitch() {
  const { single_keys } = useSnapshot(preferences)
  return (
    <Switch
      label="使用單鍵快速鍵"
      note="關掉後只有 Esc 有作用；在「使用說明」的鍵盤快速鍵可以再打開"
      checked={single_keys}
      onChange={prefs.set_single_keys}
    />
  )
}
