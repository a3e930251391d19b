/** Passkeys: the browser's credentials, with the server's options and answers as JSON. */

type Options = Record<string, unknown>
type Described = { id: string; type: string }

const bytes = (text: string): ArrayBuffer => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0)).buffer
const text = (data: ArrayBuffer): string => btoa(String.fromCharCode(...new Uint8Array(data))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
const described = (list: unknown): PublicKeyCredentialDescriptor[] => ((list ?? []) as Described[]).map(({ id }) => ({ id: bytes(id), type: 'public-key' }))

/** Whether this browser has passkeys here; it has none on an address without a name or without TLS. */
export const hasPasskeys = (): boolean => 'PublicKeyCredential' in window && window.isSecureContext

/** Make a passkey; null if the person cancels. */
export async function makePasskey(options: Options): Promise<Options | null> {
  const { challenge, user, excludeCredentials, ...rest } = options as { challenge: string; user: { id: string; name: string; displayName: string }; excludeCredentials: unknown }
  const publicKey = { ...rest, challenge: bytes(challenge), user: { ...user, id: bytes(user.id) }, excludeCredentials: described(excludeCredentials) } as unknown as PublicKeyCredentialCreationOptions
  const made = (await navigator.credentials.create({ publicKey }).catch(() => null)) as PublicKeyCredential | null
  if (!made) return null
  const response = made.response as AuthenticatorAttestationResponse
  return { id: made.id, rawId: made.id, type: made.type, response: { clientDataJSON: text(response.clientDataJSON), attestationObject: text(response.attestationObject) } }
}

/** Answer with a passkey; null if the person cancels. */
export async function usePasskey(options: Options): Promise<Options | null> {
  const { challenge, allowCredentials, ...rest } = options as { challenge: string; allowCredentials: unknown }
  const publicKey = { ...rest, challenge: bytes(challenge), allowCredentials: described(allowCredentials) } as PublicKeyCredentialRequestOptions
  const found = (await navigator.credentials.get({ publicKey }).catch(() => null)) as PublicKeyCredential | null
  if (!found) return null
  const response = found.response as AuthenticatorAssertionResponse
  const told = { clientDataJSON: text(response.clientDataJSON), authenticatorData: text(response.authenticatorData), signature: text(response.signature) }
  return { id: found.id, rawId: found.id, type: found.type, response: told }
}
