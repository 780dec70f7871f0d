// The program that hands the lines of a file on to a webhook: XQ and MultiCharts write files and call no address (domain.md §4.3).
import * as z from 'zod/mini'
import { endpoint, type FileAnswer } from './endpoint.ts'
import { id } from './fields.ts'

export const BRIDGE_PLATFORMS = ['powershell', 'python'] as const
export type BridgePlatform = (typeof BRIDGE_PLATFORMS)[number]

/** What the file is called, here and in the command that starts it. */
export const BRIDGE_FILES: Record<BridgePlatform, string> = {
  powershell: 'lingbo-bridge.ps1',
  python: 'lingbo-bridge.py',
}

export const getBridge = endpoint({
  name: 'webhook.bridge',
  method: 'GET',
  path: '/webhooks/:id/bridge',
  who: 'strategy:edit',
  when_offline: 'fail',
  answer: 'file',
  about: 'XQ 與 MultiCharts 的橋接程式，網址已經填好：盯著輸出檔，把新的一行送到這個 Webhook',
  input: z.object({ id: id(), platform: z._default(z.enum(BRIDGE_PLATFORMS), 'powershell') }),
  output: z.custom<FileAnswer>((value) => typeof value === 'object' && value !== null && 'chunks' in value),
})
