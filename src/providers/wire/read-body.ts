/** More of an error page than this says nothing more, in bytes. */
const maxBytes = 64 * 1024

/** The beginning of a body as text. Of one that breaks off, what there was. */
export async function headOfBody(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  if (!reader) return ''
  const decoder = new TextDecoder()
  let text = ''
  let left = maxBytes
  try {
    while (left > 0) {
      const { done, value } = await reader.read()
      if (done) break
      text += decoder.decode(value.subarray(0, left), { stream: true })
      left -= value.length
    }
  } catch {
    // What came before the break is all that there is.
  } finally {
    reader.cancel().catch(() => {})
  }
  return text
}
