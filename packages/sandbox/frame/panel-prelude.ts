/**
 * Runs in a plugin's panel before its page. WebRTC is the one connection that no Content-Security-Policy ends in browsers of
 * today, so it is taken away, together with what could make a document that still has it: text for `srcdoc`, which Trusted Types
 * bring here, `document.write`, which could bring it in pieces, and XSLT. Frames with addresses are up to the policy. Its source is
 * part of the frame, so it refers to nothing outside of itself.
 */
export function panelPrelude(): void {
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'XSLTProcessor'])
    Reflect.deleteProperty(globalThis, name);
  const policies = Reflect.get(globalThis, 'trustedTypes');
  policies.createPolicy('default', {
    createHTML: (text: string, _type: string, sink: string) =>
      /srcdoc|^Document write/i.test(sink) ? '' : text.replaceAll(/srcdoc/gi, 'src_doc'),
    createScript: (text: string) => text,
    createScriptURL: (text: string) => text,
  });
}
