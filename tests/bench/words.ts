// npm run bench -- words: what each channel says of one signal, by the code that sends it, drawn in that channel's own form.
// SHOTS is the folder of the pictures.
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SAMPLE_RECORDS } from '#features/signal/sample/records.ts'
import { bodyOf as discordOf } from '#server/notify/channels/discord.ts'
import { letterOf } from '#server/notify/channels/email.ts'
import { payloadsOf } from '#server/notify/channels/push.ts'
import { newSecret, bodyOf as robotOf, signaturesOf } from '#server/notify/channels/webhook.ts'
import { textOf, wordsOfSignal } from '#server/notify/words.ts'
import { outgoingMessageOf, receiverOf } from '#tests/support/outgoing-message.ts'
import { startServer } from '#tests/support/server.ts'
import { openBrowser } from './app.ts'
import { chat, discord, lockScreen, robot } from './word-forms.ts'

const SHOTS = process.env['SHOTS'] ?? join(tmpdir(), 'lingbo-words')

/** The signal: a closing one, so that every line is there. */
function said() {
  const record = SAMPLE_RECORDS.find(({ derived }) => derived.realised_pnl !== null)
  if (!record) throw new Error('no sample closes anything')
  return outgoingMessageOf({
    words: wordsOfSignal(record, '台指當沖突破', 'full'),
    record,
    at: record.received_at,
  })
}

export async function words(): Promise<void> {
  const server = await startServer()
  const browser = await openBrowser()
  try {
    const message = said()
    const only = outgoingMessageOf({
      words: wordsOfSignal(message.record as never, '台指當沖突破', 'symbol_only'),
    })
    const pushes = [message, only].map((one) => JSON.parse(payloadsOf('u1', one).next().value ?? '') as never)
    const letter = letterOf(server.app, receiverOf('demo@lingbo.example'), message)
    const body = robotOf(message) ?? ''
    const seconds = Math.floor(Date.parse(message.at) / 1_000)
    const signed = signaturesOf([newSecret()], message.key, seconds, body)
    const pages: Record<string, string> = {
      push: lockScreen(pushes),
      telegram: chat('telegram', '凌波', textOf(message)),
      line: chat('line', '凌波', textOf(message)),
      mail: letter.html,
      discord: discord(discordOf(message).content),
      webhook: robot({ id: message.key, seconds, signed }, body),
    }
    for (const [name, html] of Object.entries(pages)) {
      const wide = name === 'mail' || name === 'webhook'
      const page = await browser.newPage({
        viewport: { width: wide ? 720 : 390, height: 400 },
        deviceScaleFactor: 2,
        locale: 'zh-TW',
      })
      await page.setContent(html)
      await page.screenshot({ path: join(SHOTS, `channel-${name}.png`), fullPage: true })
      await page.close()
    }
    console.log(`words: ${Object.keys(pages).length} pictures in ${SHOTS}`)
  } finally {
    await browser.close()
    await server.close()
  }
}
