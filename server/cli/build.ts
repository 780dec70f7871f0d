// npm run build: builds the app, whether it changed or not, and the server's one file, if there is none of these sources.
import { build, serverFile } from './building.ts'

process.exitCode = build()
serverFile()
