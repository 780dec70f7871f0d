// The gallery: what is chosen from much. The platform's parts on phones, Mantine's under a mouse, by one hand.
import { useState } from 'react'
import { DateField, SearchChip, SearchSelect } from '#ui/SearchSelect.tsx'
import { TagsField } from '#ui/TagsField.tsx'
import { LONG, Part, State } from './Part.tsx'

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
