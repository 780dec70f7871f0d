/* 用這則建立對應: the key inside a request that was not understood. */
import type { Delivery } from '#contract/webhook.ts'
import { reasonsAt } from '#contract/webhook-stop.ts'
import type { GivenMessage } from '#data/nouns/webhook.ts'
import { Button } from '#ui/Button.tsx'

export type MapKeyProps = { delivery: Delivery; onMap: (message: GivenMessage) => void }

/** Refused at the door, whatever was in it: a mapping changes nothing of that. */
const NOT_READ = new Set(['empty', ...reasonsAt('closed', 'sender')])

export function MapKey({ delivery, onMap }: MapKeyProps) {
  const { id, outcome, body, body_encoding, reason_code } = delivery
  if (outcome !== 'rejected' || body === null || body_encoding !== 'utf-8' || NOT_READ.has(reason_code))
    return null
  return (
    <Button size="s" kind="tint" onClick={() => onMap({ delivery_id: id })}>
      用這則建立對應
    </Button>
  )
}
