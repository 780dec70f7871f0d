/* The record fits: how many, where its chain stands (the hash to note down), what it was compared with. */
import type { ChainCheck } from '#data/nouns/chain.ts'
import { full, number } from '#text/format.ts'
import { CopyButton } from '#ui/CopyButton.tsx'
import { KeyValues } from '#ui/Figures.tsx'
import { Icon } from '#ui/Icon.tsx'
import verifySheetCss from './VerifySheet.module.css'
import css from './Whole.module.css'

/** `when` the check ended, ms. */
export type WholeProps = { check: ChainCheck & { ok: true }; when: number }

export function Whole({ check, when }: WholeProps) {
  const { source, count, head, first_seq, compared, gaps, links = 0 } = check
  const device = source === 'device'
  if (!head)
    return (
      <div className={verifySheetCss.hero}>
        <p className="t16 w6">{device ? '這支裝置上沒有紀錄' : '還沒有紀錄'}</p>
        <p className="t13 ink3">{device ? '連線後再驗證一次。' : '收到第一筆訊號後就能驗證。'}</p>
      </div>
    )
  return (
    <>
      <div className={verifySheetCss.hero}>
        <p className={verifySheetCss.what}>
          <Icon
            name={device ? 'offline' : links > 0 ? 'link' : 'verified'}
            size={28}
            className={device ? 'ink3' : 'good-ink'}
          />
          <b className="t20">{(device ? '裝置上的紀錄' : '紀錄') + (links > 0 ? '相連' : '完整')}</b>
        </p>
        <p className="ink2">
          {device
            ? `離線：只檢查了這支裝置存下的 ${number(count)} 筆，連線後可以驗證全部。`
            : links > 0
              ? `${number(count)} 筆都接得上前一筆，沒有一筆被移除或插入；看得到內容的 ${number(count - links)} 筆，事後都沒有被更動。`
              : `${number(count)} 筆都接得上前一筆，沒有一筆在事後被更動、移除或插入。`}
        </p>
        {links > 0 && (
          <p className="ink2">
            其中 {number(links)} 筆說的是你看得到的期間之前的事，只有雜湊相連：內容不顯示，也就沒有驗證。
          </p>
        )}
      </div>
      <KeyValues
        rows={[
          { label: '驗證的範圍', value: `第 ${number(first_seq ?? 1)} – ${number(head.chain_seq)} 筆` },
          ...(links > 0 ? [{ label: '只有雜湊，內容沒有驗證', value: `${number(links)} 筆` }] : []),
          ...(gaps > 0 ? [{ label: '不在這支裝置上', value: `${number(gaps)} 筆` }] : []),
          ...(device
            ? []
            : [
                {
                  label: '與這支裝置存的比對',
                  value: compared > 0 ? `${number(compared)} 筆相同` : '裝置上沒有',
                },
              ]),
          ...(head.at ? [{ label: '最後一筆存入', value: full(head.at) }] : []),
          { label: '驗證時間', value: full(new Date(when).toISOString()) },
        ]}
      />
      <div className={css.head}>
        <p className="t13 ink3">最後一筆（第 {number(head.chain_seq)} 筆）的雜湊</p>
        <code className="mono">{head.hash.match(/.{8}/g)?.join(' ')}</code>
        <div className={css.foot}>
          <p className="t13 ink3 sp">抄下它：日後若整份歷史被改寫，就不會再有這個雜湊。</p>
          <CopyButton size="s" text={head.hash}>
            複製雜湊
          </CopyButton>
        </div>
      </div>
    </>
  )
}
