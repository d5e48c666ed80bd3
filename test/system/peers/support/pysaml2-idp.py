"""An identity provider made with pysaml2: reads one request per line as JSON and answers each with one line of JSON."""

import json
import sys
import time
from datetime import datetime, timedelta
from types import SimpleNamespace

from saml2 import BINDING_HTTP_REDIRECT, time_util
from saml2.authn_context import PASSWORD
from saml2.config import IdPConfig
from saml2.saml import NAMEID_FORMAT_PERSISTENT, NameID
from saml2.samlp import STATUS_AUTHN_FAILED
from saml2.server import Server
from saml2.xmldsig import DIGEST_SHA256, SIG_RSA_SHA256

settings = json.loads(sys.argv[1])
SIGNING = {"sign_alg": SIG_RSA_SHA256, "digest_alg": DIGEST_SHA256}


class ShiftedDatetime(datetime):
    off = timedelta()

    @classmethod
    def utcnow(cls):
        return datetime.utcnow() + cls.off


def set_clock(milliseconds):
    """Only the library's clock is off."""
    off = milliseconds / 1000

    def gmtime(*given):
        return time.gmtime(*(given or [time.time() + off]))

    time_util.time = SimpleNamespace(**{**vars(time), "gmtime": gmtime})
    ShiftedDatetime.off = timedelta(seconds=off)
    time_util.datetime = ShiftedDatetime


def provider():
    config = IdPConfig()
    sso = {"single_sign_on_service": [(settings["sso_url"], BINDING_HTTP_REDIRECT)]}
    config.load(
        {
            "entityid": settings["entity_id"],
            "xmlsec_binary": settings["xmlsec1"],
            "key_file": settings["key"],
            "cert_file": settings["certificate"],
            "metadata": {"local": [settings["metadata"], settings["other_metadata"]]},
            "service": {
                "idp": {"endpoints": sso, "policy": {"default": {"lifetime": {"minutes": 1}}}}
            },
        }
    )
    return Server(config=config)


def respond(server, asked):
    request = server.parse_authn_request(asked["request"], BINDING_HTTP_REDIRECT).message
    answered = server.response_args(request)
    to = {key: answered[key] for key in ("in_response_to", "destination")}
    set_clock(asked.get("clock", 0))
    if asked["password"] != settings["password"]:
        why = (STATUS_AUTHN_FAILED, "wrong password")
        return server.create_error_response(**to, info=why, sign=True, **SIGNING)
    encryption = {}
    if asked.get("isEncrypted"):
        with open(settings["certificate"], encoding="ascii") as certificate:
            encryption = {"encrypt_assertion": True, "encrypt_cert_assertion": certificate.read()}
    return server.create_authn_response(
        settings["attributes"],
        **to,
        sp_entity_id=asked.get("audience", answered["sp_entity_id"]),
        name_id=NameID(format=NAMEID_FORMAT_PERSISTENT, text=settings["subject"]),
        authn={"class_ref": PASSWORD},
        sign_assertion=True,
        **SIGNING,
        **encryption,
    )


def main():
    server = provider()
    for line in sys.stdin:
        try:
            answer = {"response": str(respond(server, json.loads(line)))}
        except Exception as error:  # pylint: disable=broad-except
            answer = {"error": repr(error)}
        finally:
            set_clock(0)
        print(json.dumps(answer), flush=True)


main()
