// The gallery: where something is typed.

import { useId, useState } from 'react'
import { EXAMPLE } from '#trading/examples.ts'
import { Checkbox } from '#ui/Checkbox.tsx'
import { Counted, described, Field, FieldLink, Hint, InputBox } from '#ui/Field.tsx'
import { NumberField, StepButtons, Stepper } from '#ui/NumberField.tsx'
import { DateField, SearchChip, SearchSelect } from '#ui/SearchSelect.tsx'
import { ChipSelect, Chips, Segments, SegmentsField } from '#ui/Segments.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { Switch } from '#ui/Switch.tsx'
import { TagsField } from '#ui/TagsField.tsx'
import { PasswordField, SearchField, StrengthMeter, TextField } from '#ui/TextField.tsx'
import { LONG, Part, State } from './Part.tsx'

const PRODUCTS = [
  { value: 'TXF', label: '臺股期貨（大台）', group: '股價指數' },
  { value: 'MXF', label: '小型臺指（小台）', group: '股價指數' },
  { value: 'GDF', label: '黃金期貨', group: '商品', disabled: true },
] as const
type Product = (typeof PRODUCTS)[number]['value']

const SIDES = [
  { value: 'long', label: '多' },
  { value: 'short', label: '空' },
] as const

export function Fields() {
  const [side, setSide] = useState<'long' | 'short'>('long')
  const id = useId()
  const [text, setText] = useState('台指當沖突破')
  const [note, setNote] = useState('')
  const [secret, setSecret] = useState('correct horse')
  const [find, setFind] = useState('大台')
  const [price, setPrice] = useState(String(EXAMPLE.index))
  const [size, setSize] = useState('2')
  const [product, setProduct] = useState<Product | ''>('')
  return (
    <>
      <Part name="TextField" lines about="一行或多行文字；錯誤取代提示。">
        <State word="一般">
          <TextField
            label="策略名稱"
            value={text}
            onChange={setText}
            hint="會顯示在每一筆訊號上"
            maxLength={60}
            counter
          />
        </State>
        <State word="錯誤">
          <TextField
            label="電子郵件"
            value="name@"
            onChange={setText}
            error="電子郵件格式不正確，例如 name@example.com"
          />
        </State>
        <State word="停用">
          <TextField label="帳號" value="lin@example.com" onChange={setText} disabled />
        </State>
        <State word="唯讀">
          <TextField label="網址" value="https://example.com/hooks/…" onChange={setText} readOnly mono />
        </State>
        <State word="空、提示字">
          <TextField label="備註" value="" onChange={setNote} placeholder="想記下什麼" />
        </State>
        <State word="60 個字">
          <TextField label={LONG} value={LONG} onChange={setNote} hint={LONG} />
        </State>
        <State word="多行" wide>
          <TextField label="說明" value={note} onChange={setNote} rows={3} maxLength={200} counter />
        </State>
      </Part>
      <Part name="PasswordField" lines about="密碼，右邊的鍵決定看不看得到。">
        <State word="一般">
          <PasswordField label="新密碼" autoComplete="new-password" value={secret} onChange={setSecret} />
        </State>
        <State word="錯誤">
          <PasswordField
            label="目前的密碼"
            autoComplete="current-password"
            value=""
            onChange={setSecret}
            error="請輸入目前的密碼"
          />
        </State>
      </Part>
      <Part name="StrengthMeter" about="密碼有多強，一條線和一個詞。">
        <State word="弱">
          <StrengthMeter password="12345678" />
        </State>
        <State word="跟著上面輸入">
          <StrengthMeter password={secret} />
        </State>
      </Part>
      <Part name="NumberField" lines about="數字和單位；打進去的字不會被偷偷四捨五入。">
        <State word="加減鍵">
          <NumberField label="價格" value={price} onChange={setPrice} unit="點" step="1" min="0" />
        </State>
        <State word="錯誤">
          <NumberField label="數量" value="0" onChange={setSize} unit="口" error="至少 1 口" />
        </State>
        <State word="停用">
          <NumberField label="手續費" value="60" onChange={setSize} unit="元" disabled />
        </State>
      </Part>
      <Part name="SelectField" lines about="從清單選一個，用系統自己的選單。">
        <State word="還沒選">
          <SelectField
            label="商品"
            value={product}
            onChange={setProduct}
            options={PRODUCTS}
            placeholder="請選商品"
          />
        </State>
        <State word="錯誤">
          <SelectField
            label="合約"
            value=""
            onChange={setProduct}
            options={PRODUCTS}
            placeholder="請選合約"
            error="請選合約"
          />
        </State>
        <State word="停用">
          <SelectField label="市場" value="TXF" onChange={setProduct} options={PRODUCTS} disabled />
        </State>
      </Part>
      <Part name="SearchField" lines about="在清單裡找；Esc 或右邊的鍵清除。">
        <State word="有字">
          <SearchField
            label="搜尋示範"
            value={find}
            onChange={setFind}
            placeholder="名稱、商品、代號"
            shortcut="/"
          />
        </State>
      </Part>
      <Part name="Stepper" lines about="手機上的數量與價格：大的加減鍵，中間也能直接打。">
        <State word="一般" wide>
          <Stepper
            label="數量"
            note="一檔 1 口"
            value={size}
            onChange={setSize}
            step="1"
            min="1"
            max="10"
            unit="口"
          />
        </State>
        <State word="錯誤" wide>
          <Stepper
            label="停損"
            value={price}
            onChange={setPrice}
            step="1"
            unit="點"
            error="比進場價高，多單不會觸發"
          />
        </State>
      </Part>
      <Part name="StepButtons" about="單獨的加減鍵，十進位精確。">
        <State word={`現在 ${size}`}>
          <StepButtons label="口數" value={size} step="1" min="1" max="10" onChange={setSize} />
        </State>
        <State word="欄位裡的小鍵">
          <StepButtons label="小口數" value={size} step="1" min="1" max="10" onChange={setSize} compact />
        </State>
      </Part>
      <Part name="SegmentsField" lines about="少數幾個擇一的欄位。">
        <State word="一般">
          <SegmentsField label="方向示範" value={side} onChange={setSide} options={SIDES} hint="可以再改" />
        </State>
        <State word="錯誤">
          <SegmentsField label="方向有誤" value={side} onChange={setSide} options={SIDES} error="請選一個" />
        </State>
      </Part>
      <Part name="InputBox" about="輸入與選擇的框；焦點的環是它的。">
        <State word="一般、錯誤、停用">
          <InputBox>一般</InputBox>
          <InputBox error>錯誤</InputBox>
          <InputBox disabled>停用</InputBox>
        </State>
      </Part>
      <Part name="Hint" about="欄位下面的一行：說明，或哪裡不對。">
        <State word="說明、錯誤">
          <Hint>台北時間</Hint>
          <Hint error>格式不對</Hint>
        </State>
      </Part>
      <Part name="FieldLink" lines about="欄位右邊的小連結。">
        <State word="一般">
          <TextField
            label="欄位"
            value={text}
            onChange={setText}
            action={<FieldLink onClick={() => setText('')}>清除</FieldLink>}
          />
        </State>
      </Part>
      <Part name="Counted" lines about="說明的右邊，用了多少字。">
        <State word="一般">
          <Counted hint="選填" used={12} max={200} />
        </State>
      </Part>
      <Part name="Field" lines about="所有欄位的外框：名稱、內容、提示或錯誤。">
        <State word="自訂內容">
          <Field id={id} label="日期" hint="台北時間">
            <InputBox>
              <input type="date" defaultValue="2026-11-20" {...described(id, { hint: '台北時間' })} />
            </InputBox>
          </Field>
        </State>
      </Part>
    </>
  )
}

// The gallery: where something is chosen.

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

// The gallery: what is chosen from much. The platform's parts on phones, Mantine's under a mouse, by one hand.

const MONTHS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12']
const CONTRACTS = MONTHS.map((month) => ({
  value: month,
  label: `臺股期貨 2026 年 ${month} 月`,
  group: Number(month) < 7 ? '上半年' : '下半年',
  disabled: month === '1',
}))
const STRATEGIES = [
  { value: '', label: '全部策略' },
  ...MONTHS.map((month) => ({ value: month, label: `台指當沖突破 ${month} 號` })),
]

export function Searched() {
  const [contract, setContract] = useState('11')
  const [strategy, setStrategy] = useState('')
  const [from, setFrom] = useState('2026-11-09')
  const [to, setTo] = useState('2026-11-27')
  const [tags, setTags] = useState(['突破', '當沖'])
  const [none, setNone] = useState<string[]>([])
  return (
    <>
      <Part name="DateField" about="一個日子；欄位是系統的，滑鼠打開的月曆是中文的。">
        <State word="一段期間的第一天">
          <DateField label="起日示範" value={from} onChange={setFrom} span={[from, to]} />
        </State>
        <State word="最後一天">
          <DateField
            label="到期日示範"
            value={to}
            onChange={setTo}
            span={[from, to]}
            hint="當天結束前都有效"
          />
        </State>
        <State word="錯誤">
          <DateField label="沒選的日子" value="" onChange={setTo} error="請選擇起日" />
        </State>
        <State word="停用">
          <DateField label="不能改的日子" value="2026-11-20" onChange={setTo} disabled />
        </State>
      </Part>
      <Part name="SearchSelect" about="長的清單，打字就找；手機上是系統自己的選單。">
        <State word="已選">
          <SearchSelect label="合約示範" value={contract} onChange={setContract} options={CONTRACTS} />
        </State>
        <State word="還沒選、錯誤">
          <SearchSelect
            label="沒選的合約"
            value=""
            onChange={setContract}
            options={CONTRACTS}
            placeholder="請選合約"
            error="請選合約"
          />
        </State>
        <State word="停用">
          <SearchSelect
            label="不能改的合約"
            value="2"
            onChange={setContract}
            options={CONTRACTS}
            hint={LONG}
            disabled
          />
        </State>
      </Part>
      <Part name="SearchChip" about="打開能打字找的篩選小片；手機上是系統自己的選單。">
        <State word={strategy === '' ? '還沒選' : '已選'}>
          <SearchChip label="策略示範" value={strategy} onChange={setStrategy} options={STRATEGIES} />
        </State>
        <State word="已選">
          <SearchChip label="選好的策略" value="3" onChange={setStrategy} options={STRATEGIES} />
        </State>
      </Part>
      <Part name="TagsField" about="自己的詞，一個一個加；用過的可以直接選。">
        <State word="兩個">
          <TagsField
            label="標籤示範"
            noun="標籤"
            value={tags}
            onChange={setTags}
            known={['突破', '當沖', '順勢', '籌碼', '均值回歸']}
            hint="用逗號、頓號或 Enter 分開"
          />
        </State>
        <State word="空的">
          <TagsField
            label="空的標籤"
            noun="標籤"
            value={none}
            onChange={setNone}
            placeholder="例如：突破、當沖"
          />
        </State>
        <State word="錯誤" wide>
          <TagsField
            label="太長的標籤"
            noun="標籤"
            value={['突破', LONG]}
            onChange={setTags}
            error="每個標籤最多 20 字"
          />
        </State>
      </Part>
    </>
  )
}
