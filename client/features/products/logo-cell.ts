/**
 * Cell with the product's logo, or its first letter, before the name. DOM only, like all grid
 * cells.
 */
import { fetchFile } from '#client/session/file.ts'
import { queryClient, queryKeyOf } from '#client/session/query.ts'
import { Cell, type CellParams } from '#client/ui/grid/grid-cells.ts'
import { productLogo } from '#shared/products/products-api.ts'
import { letterOf } from './product-letter.ts'
import type { Product } from './product-types.ts'

export class LogoCell extends Cell {
  readonly #logo = document.createElement('span')
  readonly #name = document.createElement('span')
  #fileId: string | null = null

  protected draw({ data }: CellParams): void {
    const product = data as Product | undefined
    this.gui.className = 'product-cell'
    if (this.#logo.parentElement === null) this.gui.append(this.#logo, this.#name)
    this.#logo.className = product === undefined ? '' : 'product-logo'
    this.#logo.dataset.letter = letterOf(product?.name ?? '')
    this.#name.textContent = product?.name ?? ''
    const fileId = product?.logoFileId ?? null
    if (fileId === this.#fileId) return
    this.#fileId = fileId
    this.#logo.replaceChildren()
    if (product !== undefined && fileId !== null) void this.#show(product.productId, fileId)
  }

  /** If the logo fails to load, the letter stays. */
  async #show(productId: string, fileId: string): Promise<void> {
    const input = { productId, fileId }
    const blob = await queryClient
      .fetchQuery({
        queryKey: queryKeyOf(productLogo, input),
        queryFn: async ({ signal }) => (await fetchFile(productLogo, input, signal)).blob,
        staleTime: Infinity,
      })
      .catch(() => null)
    if (blob === null || fileId !== this.#fileId) return
    const image = new Image()
    image.alt = ''
    image.src = URL.createObjectURL(blob)
    await image.decode().then(
      () => fileId === this.#fileId && this.#logo.replaceChildren(image),
      () => undefined,
    )
    URL.revokeObjectURL(image.src)
  }
}
