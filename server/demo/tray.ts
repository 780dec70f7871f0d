// What arrived at the demonstration's receivers, newest first, and what somebody there answers.

export const DEMO_CHANNELS = ['telegram', 'line', 'discord', 'webhook'] as const
export type DemoChannel = (typeof DEMO_CHANNELS)[number]

export interface Handed {
  readonly channel: DemoChannel
  /** ISO instant. */
  readonly at: string
  readonly text: string
  /** Buttons under it, and where they lead. */
  readonly links: readonly { readonly label: string; readonly url: string }[]
  /** As it came, for those who write programs. */
  readonly raw: string
}

const KEPT = 40

export class Tray {
  readonly #handed = new Map<DemoChannel, Handed[]>()
  /** How a channel is spoken to from the page; channels that only listen have nobody. */
  readonly speakers = new Map<DemoChannel, (text: string) => void>()

  put(channel: DemoChannel, text: string, raw: unknown, links: Handed['links'] = []): void {
    const one = { channel, at: new Date().toISOString(), text, links, raw: JSON.stringify(raw, null, 2) }
    this.#handed.set(channel, [one, ...this.of(channel)].slice(0, KEPT))
  }

  of(channel: DemoChannel): readonly Handed[] {
    return this.#handed.get(channel) ?? []
  }
}
