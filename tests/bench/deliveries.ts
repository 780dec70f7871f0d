// npm run bench -- deliveries: 100,000 deliveries with 30 % faults over two processes, one killed every five seconds.
import { manyDeliveries } from '../support/many-deliveries.ts'
import { report } from './figures.ts'

export async function deliveries(): Promise<void> {
  const people = 100
  const signals = Number(process.env['DELIVERIES'] ?? 100_000) / people
  const result = await manyDeliveries({
    ...{ people, signals, kill_every_ms: 5_000, faults: 0.3, gone: 2, leaving: 5 },
  })
  const rate = Math.round(result.planned / result.seconds)
  const line =
    `deliveries: ${result.planned} planned, ${result.confirmed} delivered, ${result.dead} given up, ${result.skipped} skipped, ` +
    `${result.unexplained} without a reason, ${result.twice} twice (${((100 * result.twice) / result.planned).toFixed(3)} %, ${(result.twice / Math.max(1, result.kills)).toFixed(1)} a kill), ${result.never} never, ${result.to_others} to others, ` +
    `${result.after_end} after access ended; ${result.kills} kills, ${result.seconds} s (${rate} a second)`
  report('deliveries', line, result)
}
