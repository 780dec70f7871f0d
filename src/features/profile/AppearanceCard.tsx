// How it looks: theme, and which colour rises.
import { useSnapshot } from 'valtio'
import { prefs } from '#screen/device.ts'
import { preferences } from '#state/preferences.ts'
import { Card } from '#ui/Card.tsx'
import { Delta } from '#ui/nouns/Delta.tsx'
import { Segments } from '#ui/Segments.tsx'
import css from './AppearanceCard.module.css'

const THEMES = [
  { value: 'light', label: '淺色' },
  { value: 'dark', label: '深色' },
  { value: 'system', label: '跟隨系統' },
] as const
const COLOURS = [
  { value: 'red', label: '紅漲綠跌' },
  { value: 'green', label: '綠漲紅跌' },
] as const

export function AppearanceCard() {
  const { ui_theme, up_colour } = useSnapshot(preferences)
  return (
    <Card title="外觀" pad>
      <div className={css.choiceRow}>
        <span>主題</span>
        <Segments label="主題" value={ui_theme} options={THEMES} onChange={prefs.set_theme} tall />
      </div>
      <div className={css.choiceRow}>
        <span>
          漲跌顏色
          <small className={css.updown}>
            <Delta value={1060} /> <Delta value={-860} />
          </small>
        </span>
        <Segments label="漲跌顏色" value={up_colour} options={COLOURS} onChange={prefs.set_up_colour} tall />
      </div>
    </Card>
  )
}
