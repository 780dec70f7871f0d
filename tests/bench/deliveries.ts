// npm run bench -- deliveries: 100,000 deliveries over three channels with 30 % faults over two processes, one killed every five
// seconds; seven of ten pushes are shown by their device, the others are followed by LINE.
import { manyDeliveries } from '../support/many-deliveries.ts'
import { report } from './figures.ts'

const CHANNELS = 3
/** At most so many of a hundred may come twice (issue 14). */
const TWICE = 0.1

export async function deliveries(): Promise<void> {
  const people = 100
  const signals = Math.round(Number(process.env['DELIVERIES'] ?? 100_000) / people / CHANNELS)
  const result = await manyDeliveries({
    ...{ people, signals, kill_every_ms: 5_000 },
    ...{ faults: 0.3, gone: 2, leaving: 5, shows: 0.7 },
  })
  const { planned, planned_by, twice, twice_by, kills, seconds } = result
  const percent = (100 * twice) / planned
  const line =
    `deliveries: ${planned} planned (webhook ${planned_by.webhook}, push ${planned_by.push}, line ${planned_by.line}), ` +
    `${result.confirmed} delivered, ${result.dead} given up, ${result.skipped} skipped, ${result.unexplained} without a reason, ` +
    `${twice} twice (${percent.toFixed(3)} %, ${percent <= TWICE ? 'within' : 'OVER'} ${TWICE} %; webhook ${twice_by.webhook}, ` +
    `push ${twice_by.push}, line ${twice_by.line}; in ${result.twice_messages} messages of the same id, ${result.twice_anew} under another; ${(twice / Math.max(1, kills)).toFixed(1)} a kill), ` +
    `${result.both} by push and LINE, ${result.after_shown} by LINE after the device had shown it, ${result.never} never, ` +
    `${result.to_others} to others, ${result.after_end} after access ended; ${kills} kills, ${seconds} s ` +
    `(${Math.round(planned / seconds)} a second)`
  report('deliveries', line, result)
}
