/**
 * Account and sign-in time, diagonally over the whole page, so that a photo of a screen shows who
 * used it. Drawn as the background image of one element that ignores clicks and is hidden from
 * screen readers. It is checked twice a second and whenever the body changes, and restored when it
 * is missing or altered. A chunk of its own.
 */
import { istClock, istDay } from '#shared/kernel/time.ts'

/** Prescribed values. */
const CHECK_MS = 500
const CLASS = 'watermark'
const TILE = { width: 340, height: 210 }

/** @returns removes it (logout) */
export function startWatermark(account: string, loginTime: string): () => void {
  const at = Date.parse(loginTime)
  const text = `${account}  ${istDay(at)} ${istClock(at)}`
  let element = draw(text)
  let drawn = element.outerHTML
  const check = (): void => {
    if (
      element.isConnected &&
      element.parentElement === document.body &&
      element.outerHTML === drawn
    )
      return
    element.remove()
    element = draw(text)
    drawn = element.outerHTML
    document.body.append(element)
  }
  check()
  const timer = setInterval(check, CHECK_MS)
  const observer = new MutationObserver(check)
  observer.observe(document.body, { childList: true })
  return () => {
    clearInterval(timer)
    observer.disconnect()
    element.remove()
  }
}

function draw(text: string): HTMLDivElement {
  const canvas = document.createElement('canvas')
  canvas.width = TILE.width
  canvas.height = TILE.height
  const pen = canvas.getContext('2d')
  if (pen) {
    pen.translate(TILE.width / 2, TILE.height / 2)
    pen.rotate((-22 * Math.PI) / 180)
    pen.font = '15px sans-serif'
    pen.textAlign = 'center'
    // A medium grey is faint on both themes.
    pen.fillStyle = 'rgba(128, 134, 144, 0.16)'
    pen.fillText(text, 0, 0)
  }
  const element = document.createElement('div')
  element.className = CLASS
  element.setAttribute('aria-hidden', 'true')
  element.dataset.text = text
  element.style.backgroundImage = `url(${canvas.toDataURL()})`
  return element
}
