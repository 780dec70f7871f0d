/* 訊號多快到: how long each step took, source to server to each channel, the usual and the slow ones. */

import { useQuery } from '@tanstack/react-query'
import { isInside } from '#contract/channels.ts'
import type { OutputOf } from '#contract/endpoint.ts'
import type { getLatency } from '#contract/notification.ts'
import { notificationQueries } from '#data/nouns/notification.ts'
import { useCtx } from '#screen/data.tsx'
import { failureSentence } from '#screen/failure.ts'
import { joined, latency, number } from '#text/format.ts'
import { CHANNEL_WORDS } from '#text/notification.ts'
import { Card, Table } from '#ui/Card.tsx'
import { FailState } from '#ui/EmptyState.tsx'
import css from './LatencyCard.module.css'

type Times = OutputOf<typeof getLatency>
type Line = { key: string; step: string } & NonNullable<Times['received_to_stored']>

/** The steps that have been measured, in their order. */
function latencyLines({ fired_to_received, received_to_stored, channels }: Times): Line[] {
  const lines: [string, Times['received_to_stored']][] = [
    ['來源觸發 → 伺服器收到', fired_to_received],
    ['收到 → 存好', received_to_stored],
    ...channels.flatMap((one): [string, Times['received_to_stored']][] => {
      const name = CHANNEL_WORDS[one.channel]
      // the open app has it from the stream, whatever the inbox takes
      if (isInside(one.channel))
        return [
          ['存好 → 放進站內通知', one.stored_to_handed],
          ['存好 → 站內畫面顯示', one.handed_to_shown],
          ['存好 → 在站內打開', one.handed_to_opened],
        ]
      return [
        [joined('存好 → 交給', name), one.stored_to_handed],
        [`${name} → 裝置顯示`, one.handed_to_shown],
        [`${name} → 打開`, one.handed_to_opened],
      ]
    }),
  ]
  return lines.flatMap(([step, measured]) =>
    measured && measured.count > 0 ? [{ key: step, step, ...measured }] : [],
  )
}

const TITLE = '訊號多快到'

/** Nothing until something was measured, or could not be read. */
export function LatencyCard({ id }: { id: string }) {
  const { data, error, isFetching, refetch } = useQuery(notificationQueries.latency(useCtx(), id))
  const lines = data ? latencyLines(data) : []
  if (!data && error)
    return (
      <Card title={TITLE} className={css.root} flush>
        <FailState row title="讀不到每一步的時間" busy={isFetching} onRetry={() => void refetch()}>
          {failureSentence(error)}
        </FailState>
      </Card>
    )
  if (lines.length === 0) return null
  return (
    <Card title={TITLE} className={css.root} flush>
      <Table aria-label="訊號每一步花的時間">
        <thead>
          <tr>
            <th scope="col">這一步</th>
            <th scope="col" className="n">
              中位數
            </th>
            <th scope="col" className="n">
              95 百分位
            </th>
            <th scope="col" className="n">
              筆數
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ key, step, p50, p95, count }) => (
            <tr key={key}>
              <td>{step}</td>
              <td className="n">{latency(p50)}</td>
              <td className="n">{latency(p95)}</td>
              <td className="n">{number(count)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Card>
  )
}
