// npm start: builds what is not built, then serves in this process.
import { pathToFileURL } from 'node:url'
import { makeReady, serverFile } from './building.ts'

makeReady()
await import(pathToFileURL(serverFile()).href)
