// What lies on this device for reading offline, and whether the browser promised to keep it.

import { useEffect, useState } from 'react'
import { useData, useRecords } from '#screen/data.tsx'
import { toast } from '#screen/toast.ts'
import { bytes, number } from '#text/format.ts'
import { serverNow } from '#text/now.ts'
import { when } from '#text/time.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { KeyValues } from '#ui/Figures.tsx'
import { Dialog } from '#ui/Modal.tsx'
import { cx } from '#ui/open.ts'
import css from './ProfilePage.module.css'

/** Asks once, since what is cleared cannot be read in the metro until it is fetched again. */
function ClearKey({ onDone }: { onDone: () => void }) {
  const { connection, clearCopies } = useData()
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const offline = connection.getSnapshot() === 'offline'
  const clear = async () => {
    setBusy(true)
    try {
      await clearCopies()
      onDone()
      toast({ title: '離線資料已清除，正在重新下載' })
    } catch (error) {
      console.warn('clear', error)
      toast({
        title: '清除失敗',
        description: '瀏覽器不讓凌波寫入這支裝置的資料，請關閉其他分頁再試一次。',
        variant: 'destructive',
      })
    }
    setBusy(false)
    setAsking(false)
  }
  return (
    <div className={`row gap12 ${css.StorageCardKeep}`}>
      <p className="sp t13 ink3">待送的操作不會被清除。</p>
      <Button size="s" onClick={() => setAsking(true)}>
        清除離線資料
      </Button>
      <Dialog
        open={asking}
        onClose={() => setAsking(false)}
        title="清除這支裝置上的離線資料？"
        icon="trash"
        actions={
          <>
            <Button firstFocus onClick={() => setAsking(false)}>
              取消
            </Button>
            <Button kind="filled" busy={busy} onClick={() => void clear()}>
              清除
            </Button>
          </>
        }
      >
        <p>
          {offline
            ? '現在離線：清除後要等連線恢復，才看得到訊號與策略。伺服器上的紀錄不受影響。'
            : '存在這裡的訊號與畫面會移除，再從伺服器重新下載。伺服器上的紀錄不受影響。'}
        </p>
      </Dialog>
    </div>
  )
}

export function StorageCard() {
  const { total_known, as_of } = useRecords()
  const [used, setUsed] = useState<number | null>(null)
  const [kept, setKept] = useState<boolean | null>(null)
  // an estimate of the browser; asked again whenever the number of records has changed
  // biome-ignore lint/correctness/useExhaustiveDependencies: total_known is the reason to ask again
  useEffect(() => {
    if (!navigator.storage?.estimate) return
    let here = true
    Promise.all([navigator.storage.estimate(), navigator.storage.persisted()]).then(
      ([estimate, persisted]) => {
        if (!here) return
        setUsed(estimate.usage ?? null)
        setKept(persisted)
      },
      (error: unknown) => console.warn('storage', error),
    )
    return () => {
      here = false
    }
  }, [total_known])
  const persist = () => {
    navigator.storage.persist().then(setKept, (error: unknown) => console.warn('storage', error))
  }
  return (
    <Card title="離線資料" pad>
      <KeyValues
        rows={[
          { label: '存在這支裝置的訊號', value: `${number(total_known)} 筆` },
          { label: '使用空間', value: used === null ? '—' : bytes(used) },
          { label: '資料更新於', value: as_of ? when(as_of, serverNow()) : '還沒有存下的資料' },
        ]}
      />
      <ClearKey onDone={() => setUsed(null)} />
      {navigator.storage && (
        // takes its room before the browser has answered, so that the cards below do not move
        <div className={cx('row gap12', css.StorageCardKeep, kept === null && css.StorageCardUnknown)}>
          <p className="sp t13 ink3">
            {kept ? '瀏覽器會保留離線資料。' : '空間不足時，瀏覽器可能清掉離線資料。'}
          </p>
          {!kept && (
            <Button size="s" onClick={persist}>
              不要讓瀏覽器清掉
            </Button>
          )}
        </div>
      )}
    </Card>
  )
}
