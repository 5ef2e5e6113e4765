"""The certificate that a server proves, looked at before anything is said to it."""

from __future__ import annotations

import asyncio
import ssl
from typing import Final

from hearts_client.invite import Invite
from hearts_client.trust import Trust
from hearts_wire.certificates import TARGET_NAME, certificate_fingerprint

_SECONDS: Final = 10.0
"""How long a handshake may take."""

_NEXT_ADDRESS_SECONDS: Final = 0.25
"""After which the next of a name's addresses is tried beside the one before."""


async def pinned_certificate(invite: Invite, trust: Trust) -> bytes | None:
    """The certificate, in DER, that each connection to a server has to prove.

    None where the connection stays within this machine and the server shows none, or someone
    wants it plain. Raises
    ``Distrust``, and ``OSError`` if nobody answers.
    """
    either = trust.takes_either(invite)
    if not either and not trust.asks_for_tls(invite):
        return None
    try:
        certificate = await _shown(invite.host, invite.port)
    except (ssl.SSLError, ConnectionResetError) as error:
        if either:
            return None  # it speaks otherwise, or not at all, as a plain connection will tell
        if isinstance(error, ssl.SSLEOFError | ConnectionResetError):
            raise  # it hung up, which says nothing of how it speaks
        raise trust.no_tls(invite) from error
    trust.accept(invite, certificate_fingerprint(certificate))
    return certificate


async def _shown(host: str, port: int) -> bytes:
    """The certificate that a server shows, whose key it proves to have."""
    async with asyncio.timeout(_SECONDS):
        _, writer = await asyncio.open_connection(
            host,
            port,
            ssl=_any_certificate(),
            server_hostname=TARGET_NAME,
            happy_eyeballs_delay=_NEXT_ADDRESS_SECONDS,
        )
    try:
        shown: bytes | None = writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
    finally:
        writer.transport.abort()
    assert shown is not None, "a TLS server always shows one"
    return shown


def _any_certificate() -> ssl.SSLContext:
    """It is compared with the pin, which says more than any authority could."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.set_alpn_protocols(["h2"])
    return context
