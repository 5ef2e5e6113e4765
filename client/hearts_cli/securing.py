"""How `hearts serve` lets people in: encrypted or not, and the invites that it hands out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import assert_never

from hearts_cli.announcing import Announcing
from hearts_cli.failures import BadInput
from hearts_client.invite import Invite
from hearts_client.trust import Tls
from hearts_server.addresses import reachable_hosts
from hearts_server.app import Listening, Plaintext, serving
from hearts_server.certificate import BadCertificate, Certificate, certificate_in
from hearts_server.journal import Premises
from hearts_server.policy import Policy
from hearts_wire.certificates import read_aloud
from hearts_wire.hosts import is_loopback, parse_host


@dataclass(frozen=True, slots=True)
class Entrance:
    """Where people come in, what guards it, and whether they are told of it."""

    host: str
    port: int
    security: Certificate | Plaintext
    announcing: Announcing

    def serving(self, premises: Premises, policy: Policy) -> AbstractAsyncContextManager[Listening]:
        """A server here, until the block is left; raises ``CannotListen``."""
        return serving(premises, self.host, self.port, policy, self.security)


def security_of(host: str, tls: Tls, data: Path) -> Certificate | Plaintext:
    """What guards the connections to a host; the certificate is made when it is first needed."""
    match tls:
        case Tls.NEVER:
            return Plaintext.ANYWHERE
        case Tls.AUTO if is_loopback(host):
            return Plaintext.ON_LOOPBACK
        case Tls.AUTO | Tls.ALWAYS:
            return _certificate(data)
        case _:
            assert_never(tls)


def listening_lines(listening: Listening) -> Iterator[str]:
    """Where a server listens, and what those who connect can rely on."""
    yield f"listening on {listening.address}"
    if listening.fingerprint is not None:
        yield f"encrypted, with the certificate {read_aloud(listening.fingerprint)}"
    elif not is_loopback(listening.host):
        yield (
            "WARNING: not encrypted: whoever is on the way can read hands and take seats; "
            "leave --tls never out if that is not what you want"
        )


def join_commands(listening: Listening, table: str) -> Iterator[str]:
    """What others type to sit down: one command for each address that may be theirs."""
    for host in reachable_hosts(listening.host):
        invite = Invite(parse_host(host), listening.port, table, listening.fingerprint)
        yield join_command(invite)


def join_command(invite: Invite) -> str:
    """What someone types who has this invite; some shells would read brackets as a pattern."""
    text = f"'{invite}'" if "[" in str(invite) else str(invite)
    plain = invite.fingerprint is None and not is_loopback(invite.host)
    return f"hearts join {text}{' --tls never' if plain else ''}"


def _certificate(data: Path) -> Certificate:
    try:
        return certificate_in(data)
    except (OSError, BadCertificate) as error:
        raise BadInput(f"the data folder {data} cannot be used: {error}") from error
