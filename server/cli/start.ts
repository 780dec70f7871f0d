// npm start: builds what is not built, then serves in this process.
import { pathToFileURL } from 'node:url'
import { serverFile } from './bundling.ts'
import { makeReady } from './ready.ts'

makeReady()
await import(pathToFileURL(serverFile()).href)
