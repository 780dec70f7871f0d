// What the demonstration's organization has announced: to everybody, to one group, and one that is still a draft.
import { createAnnouncement } from '#contract/announcement.ts'
import { addDays, instantOf } from '#trading/calendar.ts'
import { call } from './call.ts'

const HOURS = `每月第三個星期三是近月契約的最後交易日。

- **日盤提早到 13:30 收盤**，不是 13:45
- 當沖組的策略 13:15 以前平倉
- 下一筆起改用次月契約，請看訊號上的月份

| 商品 | 收盤 |
|---|---|
| 近月 | 13:30 |
| 其他月份 | 13:45 |
`
const LETTER = `這個月起改成**兩口分批進場**：第一口照訊號，第二口在回檔後補上，出場不變。

紀錄不會改寫：舊的單口訊號照樣留著。
`
const LESSON = `直播連結當天再補。內容：怎麼看「現在部位」、怎麼設備援順序。
`

/**
 * By the organization's admin; `slow` is the group of the first, `today` a day in Taipei: they appear days before it, when the
 * demonstration's clock gets there. Nobody is alarmed by them.
 */
export async function announce(
  url: string,
  token: string,
  { id, slow, today }: { id: string; slow: string; today: string },
): Promise<void> {
  const said = { id, notify: false }
  const evening = (days: number) => instantOf(addDays(today, days), '18:00')
  await call(
    url,
    createAnnouncement,
    {
      ...said,
      title: '波段組改為分批進場',
      body: LETTER,
      tags: ['策略'],
      group_ids: [slow],
      publish_at: evening(-9),
    },
    token,
    id,
  )
  await call(
    url,
    createAnnouncement,
    {
      ...said,
      title: '最後交易日提早收盤',
      body: HOURS,
      tags: ['重要'],
      pinned: true,
      publish_at: evening(-2),
    },
    token,
    id,
  )
  await call(
    url,
    createAnnouncement,
    { ...said, title: '線上說明會', body: LESSON, tags: ['活動'], publish_at: null },
    token,
    id,
  )
}
