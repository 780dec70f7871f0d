// The gallery: where something is chosen.
import { useState } from 'react'
import { Checkbox } from '#ui/Checkbox.tsx'
import { ChipSelect, Chips } from '#ui/Chips.tsx'
import { Segments } from '#ui/Segments.tsx'
import { Switch } from '#ui/Switch.tsx'
import { LONG, Part, State } from './Part.tsx'

type View = 'card' | 'table'
type Period = '1m' | '3m' | 'all'
const SORTS = [
  { value: '', label: '全部' },
  { value: 'active', label: '啟用中' },
  { value: 'paused', label: '已暫停' },
] as const

export function Choices() {
  const [on, setOn] = useState(true)
  const [view, setView] = useState<View>('card')
  const [period, setPeriod] = useState<Period>('3m')
  const [chip, setChip] = useState('all')
  const [state, setState] = useState<(typeof SORTS)[number]['value']>('')
  const chips = [
    { value: 'all', label: '全部', on: chip === 'all', count: 12 },
    { value: 'futures', label: '期貨', on: chip === 'futures', count: 8 },
    { value: 'stock', label: '股票', on: chip === 'stock', count: 4 },
    { value: 'none', label: '沒有的', disabled: true },
  ]
  return (
    <>
      <Part name="Switch" lines about="開或關，立刻生效。">
        <State word="一般" wide>
          <Switch label="隱私模式" note="姓名換成星號，金額遮起來" checked={on} onChange={setOn} />
        </State>
        <State word="停用、說明原因" wide>
          <Switch label="推播" note="這個瀏覽器不支援" checked={false} onChange={setOn} disabled />
        </State>
        <State word="60 個字" wide>
          <Switch label={LONG} note={LONG} checked={on} onChange={setOn} />
        </State>
        <State word="只有開關">
          <Switch label="單獨的開關" hideLabel checked={on} onChange={setOn} />
        </State>
      </Part>
      <Part name="Checkbox" about="同意，或選一列。">
        <State word="一般">
          <Checkbox label="保留訊號紀錄" checked={on} onChange={setOn} />
        </State>
        <State word="部分">
          <Checkbox label="已選 2／5" checked={false} mixed onChange={setOn} />
        </State>
        <State word="停用">
          <Checkbox label="不能改" checked disabled onChange={setOn} />
        </State>
        <State word="60 個字" wide>
          <Checkbox label={LONG} checked={on} onChange={setOn} />
        </State>
      </Part>
      <Part name="Segments" about="少數幾個擇一；方向鍵移動。">
        <State word="文字">
          <Segments
            label="期間示範"
            value={period}
            onChange={setPeriod}
            options={[
              { value: '1m', label: '1月' },
              { value: '3m', label: '3月' },
              { value: 'all', label: '全部', count: 120 },
            ]}
          />
        </State>
        <State word="圖示、加高">
          <Segments
            label="檢視示範"
            tall
            value={view}
            onChange={setView}
            options={[
              { value: 'card', label: '卡片', icon: 'cards' },
              { value: 'table', label: '表格', icon: 'rows' },
            ]}
          />
        </State>
        <State word="一個停用、滿版" wide>
          <Segments
            label="滿版示範"
            wide
            value={view}
            onChange={setView}
            options={[
              { value: 'card', label: '卡片' },
              { value: 'table', label: '表格', disabled: true },
            ]}
          />
        </State>
      </Part>
      <Part name="Chips" lines about="篩選用的小片，一行放不下就左右捲。">
        <State word="一般、停用" wide>
          <Chips label="類型示範" chips={chips} onPick={setChip} />
        </State>
      </Part>
      <Part name="ChipSelect" about="打開是系統選單的小片。">
        <State word={state === '' ? '還沒選' : '已選'}>
          <ChipSelect label="狀態示範" value={state} onChange={setState} options={SORTS} />
        </State>
        <State word="保留名稱">
          <ChipSelect label="狀態" prefix value={state} onChange={setState} options={SORTS} />
        </State>
      </Part>
    </>
  )
}
