import { type ClientAuth, ClientSecretBasic, ClientSecretPost } from 'openid-client';

/** HTTP Basic, which a provider that names no method takes (OpenID Connect Discovery 1.0 section 3), else the form. */
export function clientAuth(secret: string): ClientAuth {
  const basic = ClientSecretBasic(secret);
  const post = ClientSecretPost(secret);
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...rest);
  };
}
