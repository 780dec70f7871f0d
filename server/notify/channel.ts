// What a channel is: where a notification can go. One folder each under channels/; the registry lists them (docs/decisions/notifications.md).
import type { ChannelId, NotificationKind } from '#contract/channels.ts'
import type { SignalRecord } from '#contract/signal.ts'
import type { App } from '../context.ts'
import type { Db } from '../db/schema.ts'

declare module '../context.ts' {
  interface App {
    /** Every channel; handed in, so that whoever plans or sends need not reach what each of them does by itself. */
    readonly channels: Readonly<Record<ChannelId, Channel>>
  }
}

/** Where one person's messages go over a channel: a chat, a device, an address. Plain text: it was sealed in its row. */
export interface Receiver {
  readonly id: string
  readonly uid: string
  readonly address: string
  readonly name: string | null
  /** What the channel itself keeps beside the address (signing secret, keys of a subscription). */
  readonly config: Readonly<Record<string, unknown>>
}

/** What is said, already at the privacy level of the channel: a title in one line, and further lines. */
export interface Words {
  readonly title: string
  readonly lines: readonly string[]
}

/** One message to one receiver; several notifications that were due together where the channel gathers. */
export interface OutgoingMessage {
  /** The same at every try: a receiver that knows it has the message already. The id of the first delivery. */
  readonly key: string
  readonly kind: 'signal' | 'announcement' | 'organization' | 'alarm' | 'test'
  readonly words: Words
  /** How many notifications it stands for. */
  readonly count: number
  readonly notification_id: string | null
  readonly strategy_id: string | null
  /** Absolute address of the app's page. */
  readonly url: string
  /** `personal` or `org:<id>`: whose copy on the device it belongs to. */
  readonly ctx: string
  /** The record, as this person is shown it; null when it is not about one, or about several. */
  readonly record: SignalRecord | null
  /** Signals that the person marked as important, and alarms, may wake. */
  readonly urgent: boolean
  /** What is unread of the person and asks for somebody: the badge. No signal is among it. */
  readonly attention: number
  /** Of their newest notifications those that were read elsewhere; a device that still shows one closes it. Absent: none. */
  readonly read?: readonly string[]
  /** ISO instant. */
  readonly at: string
}

/** What came of sending. `wait`: by our own pace it was not tried at all, and so it is none of its tries. */
export type SendResult = Ended | { readonly kind: 'wait'; readonly after_ms: number }

/** What the other side said. Reasons are in Chinese, for the person. */
export type Ended =
  | { readonly kind: 'sent' }
  /** Not now: tried again after the back-off, or after `after_ms` where the other side says when. `all`: it said so to all of us. */
  | { readonly kind: 'again'; readonly reason: string; readonly after_ms?: number; readonly all?: boolean }
  /** This message never; the receiver is well. `ours`: it was not the receiver that refused, so that no number of them says it is lost. */
  | { readonly kind: 'refused'; readonly reason: string; readonly ours?: true }
  /** The receiver never again, until it is bound anew. */
  | { readonly kind: 'lost'; readonly state: 'blocked' | 'gone' | 'failing'; readonly reason: string }
  /** The receiver has another address now: sent again there at once. */
  | { readonly kind: 'moved'; readonly address: string; readonly address_mark: string }

/** What becomes of an address that the person typed, or what is wrong with it, in Chinese. */
export type CheckedAddress = { readonly address: string; readonly name: string } | { readonly wrong: string }

/** Of a channel whose address the person types in: its calls are those of routes.ts. */
export interface TypedAddress {
  /** Asks wherever it must, before anything is stored. */
  check(app: App, typed: string): Promise<CheckedAddress>
  /** Enough to recognise it, and nothing that lets anybody write there. */
  shown(address: string): string
  /** What goes there is signed with a secret of the person's own, shown once. */
  readonly signed: boolean
}

/** What may still go. */
export interface LeftToSend {
  readonly count: number
  /** When none may: until when that is so. */
  readonly again: 'day' | 'month'
}

export interface Channel {
  readonly id: ChannelId
  /** The only kinds that go there; every kind when absent. */
  readonly kinds?: readonly NotificationKind[]
  readonly typed?: TypedAddress
  /** `rows`: receivers are rows of channel_receivers; `mail`: the person's proved address; `inbox`: nothing to send. */
  readonly receivers: 'rows' | 'mail' | 'inbox'
  /** Several notifications that are due together become one message. A robot wants each. */
  readonly gathers: boolean
  /** Waits through quiet hours. A robot does not sleep. */
  readonly rests: boolean
  /** Its `sent` is the last word; else a device confirms (receipts). */
  readonly confirms: boolean
  /** Messages on their way at once over the whole channel, and the pause between two to one receiver. */
  readonly pace: { readonly at_once: number; readonly per_receiver_ms: number; readonly per_second: number }
  /** Its messages say how many notifications ask for somebody. */
  readonly badge?: true
  /** Whether a receiver may ask for links that sign in, as long as nobody doubts it. */
  signsIn?(to: Receiver): boolean
  /** Why this server cannot use the channel, in Chinese; null when it can. */
  unavailable(app: Pick<App, 'config'>): string | null
  /** Sends one message. What the other side answers is a result; only our own faults throw. */
  send(app: App, to: Receiver, message: OutgoingMessage, signal: AbortSignal): Promise<SendResult>
  /** Messages that may still go to this person this month, as far as is known; absent or null = no limit known. */
  left?(app: App, db: Db, uid: string): Promise<LeftToSend | null>
  /** Long work of its own while the server runs (asking for updates); gives what ends it. */
  run?(app: App): () => Promise<void>
}
