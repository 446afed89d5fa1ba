import Core
import Gateway

/// How a verb comes to the gateway as its operator.
enum OperatorDoor {
    static func open(_ arguments: Arguments) throws(Failure) -> GatewayClient {
        try GatewayClient(adminSocket: try Configuration.inUse(arguments).adminSocket)
    }
}
