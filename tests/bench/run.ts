// npm run bench -- <name>: measures one thing, prints one line, keeps the JSON.
import { build, isBuilt } from '#server/cli/building.ts'
import { DURABLE } from '#tests/support/postgres.ts'

// A figure is of databases that wait for the disk, as the product's do.
process.env[DURABLE] = '1'

const BENCHES: Record<string, () => Promise<void>> = {
  access: async () => (await import('./access-log.ts')).accessLog(),
  alarm: async () => (await import('./alarm.ts')).alarm(),
  audience: async () => (await import('./audience.ts')).audience(),
  beside: async () => (await import('./beside.ts')).beside(),
  boot: async () => (await import('./boot.ts')).boot(),
  bytes: async () => (await import('./bytes.ts')).bytes(),
  deliveries: async () => (await import('./deliveries.ts')).deliveries(),
  enumeration: async () => (await import('./enumeration.ts')).enumeration(),
  feed: async () => (await import('./feed.ts')).feed(),
  first: async () => (await import('./first.ts')).first(),
  gallery: async () => (await import('./gallery.ts')).gallery(),
  grow: async () => (await import('./grow.ts')).grow(),
  ingest: async () => (await import('./ingest.ts')).ingest(),
  late: async () => (await import('./late.ts')).late(),
  latency: async () => (await import('./latency.ts')).latency(),
  lighthouse: async () => (await import('./lighthouse.ts')).lighthouse(),
  list: async () => (await import('./list.ts')).list(),
  long: async () => (await import('./long-strategy.ts')).longStrategy(),
  looks: async () => (await import('./looks.ts')).looks(),
  neighbours: async () => (await import('./neighbours.ts')).neighbours(),
  original: async () => (await import('./original.ts')).original(),
  overload: async () => (await import('./overload.ts')).overload(),
  pair: async () => (await import('./pair.ts')).pair(),
  push: async () => (await import('./push.ts')).push(),
  reader: async () => (await import('./reader.ts')).reader(),
  restart: async () => (await import('./restart.ts')).restart(),
  rows: async () => (await import('./rows.ts')).rows(),
  sheet: async () => (await import('./sheet.ts')).sheet(),
  sockets: async () => (await import('./sockets.ts')).sockets(),
  start: async () => (await import('./start.ts')).start(),
  statistics: async () => (await import('./statistics.ts')).statistics(),
  strategies: async () => (await import('./strategies.ts')).strategies(),
  switch: async () => (await import('./switch.ts')).switches(),
  sustained: async () => (await import('./sustained.ts')).sustained(),
  symbols: async () => (await import('./symbols.ts')).symbols(),
  stream: async () => (await import('./stream.ts')).stream(),
  words: async () => (await import('./words.ts')).words(),
  turns: async () => (await import('./turns.ts')).turns(),
}

const names = process.argv.slice(2)
const unknown = names.filter((name) => !(name in BENCHES))
if (names.length === 0 || unknown.length > 0) {
  console.error(`用法：npm run bench -- ${Object.keys(BENCHES).join(' | ')}`)
  process.exit(1)
}
// Of an older build the figures would be those of another day, and what a bench looks for may not be there.
if (!process.env['DIST_DIR'] && !isBuilt() && build() !== 0) process.exit(1)
for (const name of names) await BENCHES[name]?.()
process.exit()
