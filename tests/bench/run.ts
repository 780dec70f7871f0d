// npm run bench -- <name>: measures one thing, prints one line, keeps the JSON.
const BENCHES: Record<string, () => Promise<void>> = {
  bytes: async () => (await import('./bytes.ts')).bytes(),
  enumeration: async () => (await import('./enumeration.ts')).enumeration(),
  ingest: async () => (await import('./ingest.ts')).ingest(),
  latency: async () => (await import('./latency.ts')).latency(),
  start: async () => (await import('./start.ts')).start(),
  statistics: async () => (await import('./statistics.ts')).statistics(),
}

const names = process.argv.slice(2)
const unknown = names.filter((name) => !(name in BENCHES))
if (names.length === 0 || unknown.length > 0) {
  console.error(`用法：npm run bench -- ${Object.keys(BENCHES).join(' | ')}`)
  process.exit(1)
}
for (const name of names) await BENCHES[name]?.()
process.exit(0)
