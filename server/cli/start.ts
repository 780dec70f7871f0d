// npm start: builds what is not built, then serves in this process.
import { pathToFileURL } from 'node:url'
import { makeReady } from './building.ts'
import { serverFile } from './bundling.ts'

makeReady()
await import(pathToFileURL(serverFile()).href)
