// A QR code as a PNG with the organization's name under it, for posters and chats.

const SIDE = 800
const FOOT = 96

/** Draws the code and hands it to the browser as a file; fails where the browser cannot draw it. */
export async function savePicture(svg: SVGSVGElement, name: string): Promise<void> {
  const copy = svg.cloneNode(true) as SVGSVGElement
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  copy.setAttribute('width', String(SIDE))
  copy.setAttribute('height', String(SIDE))
  const picture = new Image()
  picture.src = `data:image/svg+xml,${encodeURIComponent(copy.outerHTML)}`
  await picture.decode()
  const canvas = document.createElement('canvas')
  canvas.width = SIDE
  canvas.height = SIDE + FOOT
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('no canvas')
  pen.fillStyle = 'white'
  pen.fillRect(0, 0, canvas.width, canvas.height)
  pen.drawImage(picture, 0, 0, SIDE, SIDE)
  pen.fillStyle = 'black'
  pen.font = '600 40px system-ui, sans-serif'
  pen.textAlign = 'center'
  pen.fillText(name, SIDE / 2, SIDE + 40, SIDE - 80)
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'))
  if (!blob) throw new Error('no picture')
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = `${name || '邀請'}.png`
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
