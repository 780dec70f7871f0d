// A certificate that signs itself, made for the names a test wants (X.509 v3, ECDSA P-256): no file to keep, none that runs out.
import { generateKeyPairSync, sign } from 'node:crypto'
import { isIP } from 'node:net'

export interface Certificate {
  /** For a server's options. */
  readonly key: string
  readonly cert: string
}

const DAY = 86_400_000

/** Valid for the names and IPv4 addresses until so many days from now (negative: it has run out). */
export function makeCertificate(names: readonly string[], days = 30): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const ecdsa = sequence(oid('2a8648ce3d040302'))
  const issuer = sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(names[0] ?? 'test')))))
  const alternatives = names.map((name) =>
    isIP(name) === 4 ? der(0x87, Buffer.from(name.split('.').map(Number))) : der(0x82, Buffer.from(name)),
  )
  const body = sequence(
    der(0xa0, integer(2)),
    integer(Date.now()),
    ecdsa,
    issuer,
    sequence(time(Date.now() - 400 * DAY), time(Date.now() + days * DAY)),
    issuer,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      sequence(
        sequence(oid('551d11'), der(0x04, sequence(...alternatives))),
        // It vouches for itself: it is its own authority.
        sequence(
          oid('551d13'),
          der(0x01, Buffer.from([0xff])),
          der(0x04, sequence(der(0x01, Buffer.from([0xff])))),
        ),
      ),
    ),
  )
  const signature = sign('sha256', body, privateKey)
  const whole = sequence(body, ecdsa, der(0x03, Buffer.from([0]), signature))
  // No empty line where the last one is full: OpenSSL reads none.
  const lines = whole.toString('base64').replace(/.{64}(?=.)/g, '$&\n')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  }
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
const sequence = (...parts: Buffer[]) => der(0x30, ...parts)
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))

function integer(value: number): Buffer {
  const hex = value.toString(16)
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex')
  return der(0x02, (bytes[0] as number) > 0x7f ? Buffer.concat([Buffer.from([0]), bytes]) : bytes)
}

function time(at: number): Buffer {
  const digits = new Date(at).toISOString().replace(/\D/g, '')
  return der(0x18, Buffer.from(`${digits.slice(0, 14)}Z`))
}
