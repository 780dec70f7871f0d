/* What the intake makes of the message under the settings on the screen: asked a moment after the last key. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type GivenMessage, webhookQueries } from '#data/nouns/webhook.ts'
import { useCtx } from '#screen/data.tsx'
import type { MappingSettings } from './form.ts'

/** Typing stops for so long before the server is asked. */
const PAUSE_MS = 250

/** `message` null asks nothing. `stale` while what is shown belongs to settings of a moment ago. */
export function usePreview(webhook_id: string, message: GivenMessage | null, settings: MappingSettings) {
  const ctx = useCtx()
  const text = JSON.stringify(settings)
  const [asked, setAsked] = useState(text)
  useEffect(() => {
    const wait = setTimeout(() => setAsked(text), PAUSE_MS)
    return () => clearTimeout(wait)
  }, [text])
  const { data, error, isFetching } = useQuery({
    ...webhookQueries.preview(ctx, webhook_id, message ?? {}, asked),
    enabled: message !== null,
  })
  return { data, error, stale: asked !== text || isFetching }
}
