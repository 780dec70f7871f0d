// What lies on this device for reading offline, and whether the browser promised to keep it.
import { useEffect, useState } from 'react'
import { useRecords } from '#features/shell/records.ts'
import { number } from '#text/format.ts'
import { when } from '#text/time.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { KeyValues } from '#ui/KeyValues.tsx'

/** Bytes as people say them. */
function size(bytes: number): string {
  if (bytes < 1024 * 1024) return `${number(Math.max(1, Math.round(bytes / 1024)))} KB`
  return `${number(Math.round(bytes / 1024 / 102.4) / 10, 1)} MB`
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
          { label: '使用空間', value: used === null ? '—' : size(used) },
          { label: '資料更新於', value: as_of ? when(as_of, Date.now()) : '還沒有存下的資料' },
        ]}
      />
      {kept === false && (
        <div className="row gap12 profile-keep">
          <p className="sp t13 ink3">空間不足時，瀏覽器可能清掉離線資料。</p>
          <Button size="s" onClick={persist}>
            請瀏覽器保留
          </Button>
        </div>
      )}
    </Card>
  )
}
