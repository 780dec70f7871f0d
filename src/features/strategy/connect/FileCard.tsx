/* Files of XQ instead of a webhook: the first one is brought here. */
import type { Strategy } from '#contract/strategy.ts'
import { useGo } from '#screen/go.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { useImport } from '../original/use-import.tsx'

/** `alone`: nothing else brings signals. `arrived`: some are there. */
export type FileCardProps = { strategy: Strategy; arrived: boolean; alone?: boolean }

export function FileCard({ strategy, arrived, alone = false }: FileCardProps) {
  const { go } = useGo()
  const { keys, sheet } = useImport(strategy)
  const home = `/strategies/${strategy.id}`
  return (
    <>
      <Card title={alone ? (arrived ? '收到了' : '匯入第一個檔案') : '也可以匯入檔案'} pad>
        <div className="col gap16">
          <p className="ink2">
            選 XQ 匯出的 CSV、TXT 或
            LOG，或把列貼上來。會先讓你看內容，按下匯入才會寫進紀錄；同樣的訊號不會重複。
          </p>
          <div>{keys(alone && !arrived)}</div>
          {alone && (
            <>
              <div>
                <Button wide kind={arrived ? 'filled' : 'soft'} trailing="arrow-right" {...go(home)}>
                  {arrived ? '前往策略' : '先到策略頁，稍後再匯入'}
                </Button>
              </div>
              <p className="t13 ink3">
                之後的檔案在策略的「原始資料」匯入；想即時收到訊號，在「設定」接上 Webhook。
              </p>
            </>
          )}
        </div>
      </Card>
      {sheet}
    </>
  )
}
